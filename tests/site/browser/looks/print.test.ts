/* The pages on paper. */
import { expect, test } from "vitest";
import { brand } from "#brand";
import { visit } from "../visit.ts";

const pages: [path: string, colorScheme: "light" | "dark"][] = [
	["/", "light"],
	["/terms", "dark"],
	["/confirmation", "light"],
	["/privacy", "light"],
	["/no/such/page", "light"],
];

test.each(pages)(
	"%s prints black on white, without controls, on a %s system",
	{ tags: "slow" },
	async (path, colorScheme) => {
		const { page } = await visit(path, {
			moving: true,
			reducedMotion: "reduce",
			colorScheme,
		});
		await page.emulateMedia({ media: "print" });
		const seen = await page.evaluate(() => ({
			chrome: [
				...document.querySelectorAll(
					".masthead, .footer, .contents, .home, .form, .prompt, .stray, .return, .stage",
				),
			].filter((element) => element.checkVisibility()).length,
			colours: [
				...new Set(
					[...document.querySelectorAll("main *")]
						.filter((element) => element.checkVisibility())
						.map((element) => getComputedStyle(element).webkitTextFillColor),
				),
			],
			ground: getComputedStyle(document.documentElement).backgroundColor,
		}));
		expect(seen).toEqual({
			chrome: 0,
			colours: ["rgb(0, 0, 0)"],
			ground: "rgb(255, 255, 255)",
		});
	},
);

test.each(["/terms"])("%s prints its address, and those it links to", async (path) => {
	const { page } = await visit(path, { moving: true, reducedMotion: "reduce" });
	await page.emulateMedia({ media: "print" });
	const seen = await page.evaluate(() => ({
		address: getComputedStyle(document.querySelector(".effective")!, "::after").content,
		links: [...document.querySelectorAll('.legal-text a[href^="/"]:not(.home)')].map(
			(link) => getComputedStyle(link, "::after").content,
		),
	}));
	expect(seen.address).toContain(`${brand.origin}${path}`);
	for (const link of seen.links) expect(link).toContain(brand.origin);
	expect(seen.links.length > 0).toBe(path === "/terms");
});
