import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { createServer } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";

/** How long to wait for other installations, by our tests or anybody else. */
const patienceMs = 600_000;

/**
 * Works as root or with passwordless sudo. Waits while other processes install.
 *
 * @param apt path of `apt-get`
 * @param isThere whether another process has installed everything by now
 * @returns the obstacle, or nothing on success
 */
export async function aptInstall(
	apt: string,
	packages: readonly string[],
	isThere: () => boolean,
): Promise<string | undefined> {
	const prefix = process.getuid?.() === 0 ? [] : ["sudo", "-n"];
	if (prefix.length > 0 && (await run(["sudo", "-n", "true"])).code !== 0) {
		return "installing it needs root or a sudo without password";
	}
	const deadline = Date.now() + patienceMs;
	const release = await takeTurn(apt, deadline);
	if (release === undefined) return "another process has been installing for ten minutes";
	try {
		if (isThere()) return undefined;
		const install = ["install", "-q", "-y", "--no-install-recommends", ...packages];
		console.error(`Missing, so apt-get installs ${packages.join(" ")}.`);
		const command = (words: string[]) => runUnlocked([...prefix, apt, ...words], deadline);
		// Package lists are usually present and fresh enough; fetching them takes seconds.
		if ((await command(install)) === undefined) return undefined;
		const outdated = await command(["update", "-q"]);
		const obstacle = await command(install);
		return (
			obstacle &&
			`apt-get ${outdated ? `update failed: ${outdated}` : `install failed: ${obstacle}`}`
		);
	} finally {
		release();
	}
}

/**
 * Parallel test files may miss the same program: one process at a time calls apt. The lock is an
 * abstract socket (unix(7)), which the kernel releases when its process dies.
 *
 * @returns a function that releases the lock, or nothing after the deadline
 */
async function takeTurn(apt: string, deadline: number): Promise<(() => void) | undefined> {
	const path = `\0apt-${createHash("sha256").update(apt).digest("hex").slice(0, 16)}`;
	for (;;) {
		const turn = createServer().unref();
		const isTaken = await new Promise<boolean>((resolve, reject) => {
			turn.once("error", (error: NodeJS.ErrnoException) => {
				if (error.code === "EADDRINUSE") resolve(true);
				else reject(error);
			});
			turn.listen(path, () => resolve(false));
		});
		if (!isTaken) return () => turn.close();
		if (Date.now() > deadline) return undefined;
		await sleep(250);
	}
}

/**
 * Its own `DPkg::Lock::Timeout` covers dpkg's lock only, not those of lists and downloads.
 *
 * @returns the last line of apt's output on failure
 */
async function runUnlocked(command: string[], deadline: number): Promise<string | undefined> {
	for (;;) {
		const { code, output } = await run(command);
		if (code === 0) return undefined;
		if (!output.includes("Could not get lock") || Date.now() > deadline) {
			return output.trim().split("\n").at(-1) ?? "";
		}
		await sleep(1000);
	}
}

function run([command, ...args]: string[]): Promise<{ code: number; output: string }> {
	return new Promise((resolve) => {
		const child = spawn(command!, args, {
			// apt's lock messages are parsed, so they must be English.
			env: { ...process.env, DEBIAN_FRONTEND: "noninteractive", LC_ALL: "C" },
			stdio: ["ignore", "pipe", "pipe"],
		});
		let output = "";
		child.stdout.on("data", (text) => {
			output += text;
		});
		child.stderr.on("data", (text) => {
			output += text;
		});
		child.on("error", (error) => resolve({ code: -1, output: error.message }));
		child.on("close", (code) => resolve({ code: code ?? -1, output }));
	});
}
