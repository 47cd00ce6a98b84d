import { execFile, execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { readFile, symlink } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { buildProduct } from "./harness/built-site.ts";
import { runAtExit, temporaryFolder } from "./harness/temporary.ts";

const run = promisify(execFile);

export interface CommitWorktree {
	readonly folder: string;
	readonly commit: string;
	remove(): Promise<void>;
}

/** Returns "HEAD" if files have changed, otherwise "HEAD~1", or "none" if HEAD has no parent. */
export async function findDefaultBase(root: string): Promise<string> {
	const git = async (...words: string[]) => (await run("git", words, { cwd: root })).stdout.trim();
	try {
		if ((await git("status", "--porcelain")) !== "") return "HEAD";
		await git("rev-parse", "--verify", "HEAD~1");
		return "HEAD~1";
	} catch {
		return "none";
	}
}

/**
 * Checks out a commit in a temporary folder, with this tree's `node_modules` if both lock files
 * are equal, and builds it.
 * @throws Error with the output if git, npm or the build fails
 */
export async function checkOutCommit(
	root: string,
	name: string,
	{ build = true } = {},
): Promise<CommitWorktree> {
	const { folder, remove: removeFolder } = await temporaryFolder("bench-base-");
	const git = async (...words: string[]) => (await run("git", words, { cwd: root })).stdout.trim();
	// Otherwise git would still list the removed folder after an interrupted run.
	const prune = runAtExit(() => void execFileSync("git", ["worktree", "prune"], { cwd: root }));
	async function remove(): Promise<void> {
		await git("worktree", "remove", "--force", folder).catch(() => undefined);
		removeFolder();
		prune();
	}
	try {
		const commit = await git("rev-parse", "--verify", `${name}^{commit}`);
		await git("worktree", "add", "--detach", folder, commit);
		const [own, theirs] = await Promise.all(
			[root, folder].map((tree) => readFile(join(tree, "package-lock.json"), "utf8")),
		);
		if (own === theirs && existsSync(join(root, "node_modules"))) {
			await symlink(join(root, "node_modules"), join(folder, "node_modules"), "junction");
		} else {
			await run("npm", ["ci", "--no-audit", "--no-fund"], { cwd: folder });
		}
		if (build) await buildProduct(folder);
		return { folder, commit, remove };
	} catch (error) {
		await remove();
		const { stderr, message } = error as Error & { stderr?: string };
		throw new Error(`${name} cannot be checked out and built: ${(stderr || message).trim()}`);
	}
}
