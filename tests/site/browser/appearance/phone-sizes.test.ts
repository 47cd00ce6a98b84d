/* The build assumes these sizes of the brand's words on a phone. */
import { expect, test } from "vitest";
import { checkedTextStyles, PHONE_WIDTH_PX } from "../../../../src/tooling/check-brand.ts";
import { visitPage } from "../visit.ts";

/** Each page's words: their entry in `checkedTextStyles`, and their selector. */
const pages: [path: string, words: [place: keyof typeof checkedTextStyles, selector: string][]][] =
	[
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
	const viewport = { width: PHONE_WIDTH_PX, height: 740 };
	const { page } = await visitPage("/", { viewport, bypassCSP: true });
	for (const [path, all] of pages) {
		await page.goto(path);
		for (const [name, selector] of all) {
			// Tests the widest words that the build accepts, which get the smallest size.
			const { room, size: least } = checkedTextStyles[name];
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
			expect(size, name).toBeCloseTo(checkedTextStyles[name].size, 1);
			expect(spacing, name).toBeCloseTo(checkedTextStyles[name].spacing, 3);
		}
	}
});
