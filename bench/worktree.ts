import { execFile, execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { readFile, symlink } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { buildTree } from "./harness/built-site.ts";
import { atExit, temporaryFolder } from "./harness/temporary.ts";

const run = promisify(execFile);

export interface Worktree {
	readonly folder: string;
	readonly commit: string;
	remove(): Promise<void>;
}

export async function isCommit(root: string, name: string): Promise<boolean> {
	return await run("git", ["rev-parse", "--verify", "--quiet", `${name}^{commit}`], {
		cwd: root,
	}).then(
		() => true,
		() => false,
	);
}

/**
 * Checks a commit out and builds it. Shares `node_modules` if it locks the same packages, which
 * takes seconds; otherwise it installs its own, which takes minutes.
 * @throws Error with the output if git, npm or the build fails
 */
export async function checkOut(root: string, name: string): Promise<Worktree> {
	const { folder, remove: removeFolder } = await temporaryFolder("bench-base-");
	const git = async (...words: string[]) => (await run("git", words, { cwd: root })).stdout.trim();
	const commit = await git("rev-parse", `${name}^{commit}`);
	// After an interrupted run git would keep listing the removed folder.
	const prune = atExit(() => void execFileSync("git", ["worktree", "prune"], { cwd: root }));
	async function remove(): Promise<void> {
		await git("worktree", "remove", "--force", folder).catch(() => undefined);
		removeFolder();
		prune();
	}
	try {
		await git("worktree", "add", "--detach", folder, commit);
		const [own, theirs] = await Promise.all(
			[root, folder].map((tree) => readFile(join(tree, "package-lock.json"), "utf8")),
		);
		if (own === theirs && existsSync(join(root, "node_modules"))) {
			await symlink(join(root, "node_modules"), join(folder, "node_modules"), "junction");
		} else {
			await run("npm", ["ci", "--no-audit", "--no-fund"], { cwd: folder });
		}
		await buildTree(folder);
		return { folder, commit, remove };
	} catch (error) {
		await remove();
		const { stderr, message } = error as Error & { stderr?: string };
		throw new Error(`${name} cannot be built: ${(stderr || message).trim()}`);
	}
}
