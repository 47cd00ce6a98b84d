import { expect, test } from "vitest";
import { brand } from "#brand";
import { visitPage } from "../visit.ts";

test("pages print black on white without controls, and the terms with their URLs", async () => {
	const { page } = await visitPage("/", { colorScheme: "dark" });
	await page.emulateMedia({ media: "print" });
	// Holds animations at their first frame: printing must not wait for their end.
	await page.addInitScript(() => {
		const sheet = new CSSStyleSheet();
		sheet.replaceSync("* { animation-play-state: paused !important }");
		document.adoptedStyleSheets = [sheet];
	});
	for (const path of ["/", "/no/such/page", "/terms"]) {
		await page.goto(path);
		const seen = await page.evaluate(() => {
			const shown = (selector: string) =>
				[...document.querySelectorAll(selector)].filter((element) => element.checkVisibility());
			const inks = shown("main *").map((it) => getComputedStyle(it).webkitTextFillColor);
			return {
				chrome: shown(
					".masthead, .footer, .contents, .home, .form, .prompt, .stray, .return, .stage",
				).length,
				inks: [...new Set(inks)],
				ground: getComputedStyle(document.documentElement).backgroundColor,
			};
		});
		expect(seen, path).toEqual({ chrome: 0, inks: ["rgb(0, 0, 0)"], ground: "rgb(255, 255, 255)" });
	}
	const addresses = await page
		.locator('.effective, .legal-text a[href^="/"]:not(.home)')
		.evaluateAll((all) => all.map((it) => getComputedStyle(it, "::after").content));
	expect(addresses[0]).toContain(`${brand.origin}/terms`);
	expect(addresses.length).toBeGreaterThan(1);
	for (const address of addresses) expect(address).toContain(brand.origin);
});
