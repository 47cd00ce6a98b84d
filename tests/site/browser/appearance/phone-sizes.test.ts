/* The build assumes these sizes of the brand's words on a phone. */
import { expect, test } from "vitest";
import { PHONE, places } from "../../../../src/tooling/check-brand.ts";
import { visit } from "../visit.ts";

/** Each page's words: their entry in `places`, and their selector. */
const pages: [path: string, words: [place: keyof typeof places, selector: string][]][] = [
	[
		"/",
		[
			["headline", ".headline .line"],
			["turning", ".headline .word"],
			["masthead", ".brand"],
			["button", ".join"],
		],
	],
	[
		"/confirmation",
		[
			["heading", ".congratulations"],
			["number", ".position"],
		],
	],
	["/no/such/page", [["heading", ".lost"]]],
];

test("the build's word sizes match the style sheet", async () => {
	const viewport = { width: PHONE, height: 740 };
	const { page } = await visit("/", { viewport, bypassCSP: true });
	for (const [path, all] of pages) {
		await page.goto(path);
		for (const [name, selector] of all) {
			// The widest words that the build accepts have the smallest size.
			const { room, size: least } = places[name];
			const { size, spacing } = await page
				.locator(selector)
				.first()
				.evaluate((words, width) => {
					for (const part of ["headline", "headline-word", "title", "title-word", "number"]) {
						document.documentElement.style.setProperty(`--${part}`, String(width));
					}
					const { fontSize, letterSpacing } = getComputedStyle(words);
					return {
						size: Number.parseFloat(fontSize),
						spacing: Number.parseFloat(letterSpacing) / Number.parseFloat(fontSize) || 0,
					};
				}, room / least);
			expect(size, name).toBeCloseTo(places[name].size, 1);
			expect(spacing, name).toBeCloseTo(places[name].spacing, 3);
		}
	}
});
