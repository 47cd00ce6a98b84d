/* The build measures the brand's words by the sizes that they have on a phone (promise 40). */
import { expect, test } from "vitest";
import { PHONE, places } from "../../../../src/tooling/check-brand.ts";
import { visit } from "../visit.ts";

test.each([
	["headline", "/", ".headline .line"],
	["turning", "/", ".headline .word"],
	["heading", "/confirmation", ".congratulations"],
	["heading", "/no/such/page", ".lost"],
	["number", "/confirmation", ".position"],
	["masthead", "/", ".brand"],
	["button", "/", ".join"],
] as const)("the size of %s on %s is the style sheet's", async (name, path, selector) => {
	const viewport = { width: PHONE, height: 740 };
	const { page } = await visit(path, { viewport, bypassCSP: true });
	// The largest words fill their place. The widest ones that there may be are measured.
	const { room, size: least } = places[name];
	await page.addStyleTag({
		content: `:root:root {
			--headline: ${room / least};
			--headline-word: ${room / least};
			--title: ${room / least};
			--title-word: ${room / least};
			--number: ${room / least};
		}`,
	});
	const { size, spacing } = await page
		.locator(selector)
		.first()
		.evaluate((words) => {
			const { fontSize, letterSpacing } = getComputedStyle(words);
			return {
				size: Number.parseFloat(fontSize),
				spacing: Number.parseFloat(letterSpacing) / Number.parseFloat(fontSize) || 0,
			};
		});
	expect(size).toBeCloseTo(places[name].size, 1);
	expect(spacing).toBeCloseTo(places[name].spacing, 3);
});
