import { readFileSync } from "node:fs";
import { expect, test } from "vitest";

/* The list in src/README.md. tests/tooling/readme.test.ts checks its links and references. */
const promises = [...readFileSync("src/README.md", "utf8").matchAll(/^\*\*(\d+)\.\*\* (.+)$/gm)];

test("promises are numbered from 1 without a gap", () => {
	expect(promises.length).toBeGreaterThan(40);
	expect(promises.map(([, number]) => Number(number))).toEqual(promises.map((_, n) => n + 1));
});

test("every promise ends with a file that proves it and that `npm test` runs", () => {
	for (const [, number, text = ""] of promises) {
		expect(text, `promise ${number}`).toMatch(/\]\(\.\.\/tests\/[^)]+\)$/);
		const files = [...text.matchAll(/\]\(\.\.\/(tests\/[^)]+\.test\.tsx?)\)/g)].map(
			([, file]) => file!,
		);
		// A dot, so that this file does not carry the tag itself.
		const isSlow = (file: string) => /^\/\*\* @module.tag slow/.test(readFileSync(file, "utf8"));
		expect(
			files.some((file) => !isSlow(file)),
			`promise ${number}`,
		).toBe(true);
	}
});
