import { readdir, readFile } from "node:fs/promises";
import { describe, expect, test } from "vitest";
import { words } from "#words";
import { headline } from "../sentences.ts";

/* Browsers without style sheets, such as w3m, show text and inputs, and no `<button>`. */

const BLOCKS =
	/<\/?(?:h[1-6]|p|div|ul|ol|li|nav|header|main|footer|section|form|label|br)\b[^>]*>/g;

/** The body's lines as such a browser shows them. */
async function linesOf(file: string): Promise<string[]> {
	const html = await readFile(`dist/${file}`, "utf8");
	return /<body.*<\/body>/s
		.exec(html)![0]
		.replaceAll(/<(script|style|svg|button)\b.*?<\/\1>/gs, "")
		.replaceAll(BLOCKS, "\n")
		.replaceAll(/<!--.*?-->|<[^>]*>/gs, "")
		.split("\n")
		.map((line) => line.trim())
		.filter(Boolean);
}

const pages = (await Promise.all(["site", "link-pages"].map(htmlIn))).flat();

async function htmlIn(folder: string): Promise<string[]> {
	return (await readdir(`dist/${folder}`))
		.filter((file) => file.endsWith(".html"))
		.map((file) => `${folder}/${file}`);
}

test("the landing page has its headline once", async () => {
	const text = (await linesOf("site/index.html")).join("\n");
	expect(text.split(headline)).toHaveLength(2);
	expect(text.split(words.headline.lines[0]!)).toHaveLength(2);
});

test("the confirmation page has the position once, in one sentence", async () => {
	const { before, position } = words.confirmation;
	const lines = await linesOf("site/confirmation.html");
	expect(lines.filter((line) => line.includes(position))).toEqual([`${before} ${position}`]);
});

describe.each(pages)("%s", (file) => {
	test("runs no words together", async () => {
		const glued = (await linesOf(file))
			.filter((line) => !line.includes("waitlistEmail"))
			.filter((line) => /\p{Ll}[.,!?]?\p{Lu}/u.test(line));
		expect(glued).toEqual([]);
	});

	test("has a submit input in each form", async () => {
		const html = await readFile(`dist/${file}`, "utf8");
		for (const form of html.match(/<form\b.*?<\/form>/gs) ?? []) {
			expect(form).toMatch(/<input[^>]*type="submit"/);
			expect(form).not.toContain("<button");
		}
	});
});
