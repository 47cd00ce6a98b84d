import { chromiumProgram } from "../bench/harness/browsers/chromium.ts";
import { xvfb } from "../bench/harness/browsers/display.ts";
import { findEmoji } from "../bench/harness/browsers/emoji.ts";
import { findProgram } from "../bench/harness/browsers/find.ts";
import { firefoxProgram } from "../bench/harness/browsers/firefox.ts";
import { miniBrowser, webkitDriver } from "../bench/harness/browsers/webkit.ts";
import { postgresPrograms } from "../bench/harness/postgres-cluster.ts";
import { systemFaces } from "../src/tooling/system-faces.ts";
import { findFaceFiles } from "./system-face-files.ts";
import { nginxProgram, opensslProgram } from "./tooling/nginx.ts";

export const straceProgram = {
	title: "strace",
	variable: "STRACE_PATH",
	commands: ["strace"],
	packages: ["strace"],
};

/** The bench compares commits with it. */
const git = { title: "git", variable: "GIT_PATH", commands: ["git"], packages: ["git"] };

/**
 * Before all tests: installs what they look for and this machine lacks. Tests that installed it
 * themselves would run out of time, above all while another process holds apt's locks.
 */
export async function setup(): Promise<void> {
	// A run of a few files needs little: they look for it themselves.
	if (process.argv.some((word) => word.startsWith("tests/"))) return;
	const wanted = [chromiumProgram, firefoxProgram, xvfb, webkitDriver, miniBrowser]
		.concat(postgresPrograms, nginxProgram, opensslProgram, straceProgram, git)
		.map((program) => () => findProgram(program));
	const fonts = systemFaces.map((face) => () => findFaceFiles(face));
	// What cannot be installed fails the tests that need it, and they say why.
	for (const find of [...wanted, ...fonts, findEmoji]) await find().catch(() => undefined);
}
