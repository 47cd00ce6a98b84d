import { readFile } from "node:fs/promises";
import { Window } from "happy-dom";
import { expect, it } from "vitest";
import { buttonAsText, SHOWN_WORDS_FILE, type ShownWords } from "#shared/shown-words.ts";

async function textsIn(file: string, selector: string): Promise<string[]> {
	const { document } = new Window({ settings: { disableJavaScriptEvaluation: true } });
	const html = await readFile(`dist/${file}.html`, "utf8");
	document.documentElement.innerHTML = /<html[^>]*>(.*)<\/html>/s.exec(html)![1]!;
	const found = [...document.querySelectorAll(selector)];
	expect(found.length, selector).toBeGreaterThan(0);
	return found.map((element) =>
		element.tagName === "INPUT"
			? buttonAsText(element.getAttribute("value")!)
			: element.textContent,
	);
}

/** The texts that the build recorded as proof of consent. */
const shown: Promise<ShownWords> = readFile(`dist/${SHOWN_WORDS_FILE}`, "utf8").then(JSON.parse);

it("the recorded form texts are exactly the page's", async () => {
	const above = await textsIn("site/index", "h1");
	const form = await textsIn("site/index", ".prompt, label[for=email], input.join, .note");
	expect((await shown).form.replace(/:$/m, "").split("\n")).toEqual([...above, ...form]);
});

it("the recorded texts of the confirmation page are the page's", async () => {
	const page = await textsIn("link-pages/confirm", "main h1, main p, main [type=submit]");
	expect((await shown).confirm.split("\n")).toEqual(page);
});

it.each(["terms", "privacy"] as const)("the entire %s page is recorded", async (name) => {
	const page = await textsIn(
		`site/${name}`,
		"h1, .legal-text > p:not(.effective), .legal-text > ul > li, section :is(h2, h3, p, li)",
	);
	const kept = (await shown)[name].replace(/^- /gm, "").split(/\n+/);
	expect(kept.filter((line) => !/^Effective \d{4}-\d\d-\d\d$/.test(line))).toEqual(page);
});
