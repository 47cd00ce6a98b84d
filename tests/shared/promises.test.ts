import { readFileSync } from "node:fs";
import { expect, test } from "vitest";

/* tests/tooling/readme.test.ts checks that the linked files exist. */
const lines = readFileSync("src/PROMISES.md", "utf8").match(/^- .+$/gm) ?? [];

test("every promise is one short line with the test that holds it", () => {
	expect(lines.length).toBeGreaterThan(80);
	for (const line of lines) {
		const [, text = ""] =
			/^- (.+\.) \[[\w-]+\]\(\.\.\/tests\/[\w/-]+\.test\.tsx?\)$/.exec(line) ?? [];
		expect(text.split(" ").length, line).toBeLessThanOrEqual(25);
		expect(text, line).not.toBe("");
	}
});

test("`npm test` runs the test of every promise", () => {
	// The dot keeps Vitest from reading this line as a tag.
	const isSlow = (file: string) => /^\/\*\* @module.tag slow/.test(readFileSync(file, "utf8"));
	const files = lines.map((line) => /tests\/[^)]+/.exec(line)![0]);
	expect(files.filter(isSlow)).toEqual([]);
});
