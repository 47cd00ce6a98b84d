import { spawn } from "node:child_process";
import { setTimeout as sleep } from "node:timers/promises";

const PATIENCE_MS = 600_000;

/** Installs packages, as root or with passwordless sudo. @returns why it failed, if it did */
export async function installAptPackages(
	apt: string,
	packages: readonly string[],
): Promise<string | undefined> {
	const prefix = process.getuid?.() === 0 ? [] : ["sudo", "-n"];
	if (prefix.length > 0 && (await run(["sudo", "-n", "true"])).code !== 0) {
		return "installing it needs root or a sudo without password";
	}
	const install = ["install", "-q", "-y", "--no-install-recommends", ...packages];
	console.error(`Missing, so apt-get installs ${packages.join(" ")}.`);
	const deadline = Date.now() + PATIENCE_MS;
	const command = (words: string[]) => runUnlocked([...prefix, apt, ...words], deadline);
	// `apt-get update` takes seconds, so it runs only if the install fails.
	if ((await command(install)) === undefined) return undefined;
	const outdated = await command(["update", "-q"]);
	const obstacle = await command(install);
	return (
		obstacle && `apt-get ${outdated ? `update failed: ${outdated}` : `install failed: ${obstacle}`}`
	);
}

/**
 * Retries while another process holds a lock. apt itself can wait for only one of its locks
 * (`DPkg::Lock::Timeout`).
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
			// In English, because `runUnlocked` searches the output for the lock message.
			env: { ...process.env, DEBIAN_FRONTEND: "noninteractive", LC_ALL: "C" },
			stdio: ["ignore", "pipe", "pipe"],
		});
		let output = "";
		for (const stream of [child.stdout, child.stderr]) {
			stream.on("data", (text) => {
				output += text;
			});
		}
		child.on("error", (error) => resolve({ code: -1, output: error.message }));
		child.on("close", (code) => resolve({ code: code ?? -1, output }));
	});
}
