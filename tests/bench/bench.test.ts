/** The command as it is called, up to where it would measure. */
import { execFile } from "node:child_process";
import { expect, test } from "vitest";
import { ROOT } from "../../bench/probe/bundle-probe.ts";

function run(...words: string[]): Promise<{ code: unknown; stdout: string; stderr: string }> {
	const program = ["src/tooling/run.js", "bench/bench.ts", ...words];
	return new Promise((resolve) => {
		execFile(process.execPath, program, { cwd: ROOT }, (error, stdout, stderr) =>
			resolve({ code: error ? error.code : 0, stdout, stderr }),
		);
	});
}

const wrong: [words: string, sentence: string][] = [
	["--only snow", '"snow" is no tier: there are counts, bytes,'],
];

// Each starts Vite.
test.each(wrong)("%s is wrong use, said before anything is measured", async (words, sentence) => {
	const { code, stdout, stderr } = await run(...words.split(" "));
	expect(stderr).toContain(sentence);
	expect(stderr).not.toContain("Measuring");
	expect([code, stdout]).toEqual([2, ""]);
});
