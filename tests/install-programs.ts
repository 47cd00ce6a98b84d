import { chromiumProgram, chromiumShellProgram } from "../bench/harness/browsers/chromium.ts";
import { xvfbProgram } from "../bench/harness/browsers/display.ts";
import { emojiFont } from "../bench/harness/browsers/emoji.ts";
import { debianProgram, installPrograms } from "../bench/harness/browsers/find.ts";
import { firefoxProgram } from "../bench/harness/browsers/firefox.ts";
import { miniBrowserProgram, webkitDriverProgram } from "../bench/harness/browsers/webkit.ts";
import { postgresPrograms } from "../bench/harness/postgres-cluster.ts";
import { systemFaces } from "../src/tooling/fonts/system-faces.ts";
import { nginxProgram, opensslProgram } from "./documented-nginx.ts";
import { pgbouncerProgram } from "./pgbouncer.ts";
import { sqlite3Program } from "./server/registrations/foreign-readers.ts";
import { installableFontFiles } from "./system-face-files.ts";

export const straceProgram = debianProgram("strace", "STRACE_PATH");
export const gitProgram = debianProgram("git", "GIT_PATH");
export const systemdProgram = debianProgram("systemd-analyze", "SYSTEMD_ANALYZE_PATH", {
	packages: ["systemd"],
});

const programs = [
	...[chromiumProgram, chromiumShellProgram, firefoxProgram, xvfbProgram, webkitDriverProgram],
	miniBrowserProgram,
]
	.concat(
		postgresPrograms,
		pgbouncerProgram,
		sqlite3Program,
		nginxProgram,
		opensslProgram,
		straceProgram,
		systemdProgram,
		gitProgram,
	)
	.concat(process.platform === "linux" ? emojiFont : [], systemFaces.flatMap(installableFontFiles));

/** Every Vitest project calls `setup` in this process; only the first call installs. */
const run = globalThis as { programsAreSought?: true };

/**
 * Installs missing programs first, because a test that waited for apt's locks would time out.
 * Tests of a program that cannot be installed fail. All others run.
 * @returns a function that reports missing programs at the end of the run
 */
export async function setup(): Promise<(() => void) | undefined> {
	// If test files are named, each installs only what it needs.
	if (run.programsAreSought || process.argv.some((word) => word.startsWith("tests/"))) return;
	run.programsAreSought = true;
	const missing = await installPrograms(programs);
	if (missing.length === 0) return;
	const sentences = missing.map((sentence) => `  ${sentence}\n`).join("");
	return () => console.error(`Tests failed because this machine lacks programs:\n${sentences}`);
}
