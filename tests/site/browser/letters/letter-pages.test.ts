/* The pages behind the links of letters: decided by keyboard, without script, and with forced colours. */
import type { Page, Request } from "playwright-core";
import { expect, onTestFinished, test } from "vitest";
import { inks } from "#brand";
import { LETTER_PATH, type LetterPageName } from "#shared/letters.ts";
import { readLetterPages } from "../../../../src/server/letters/links/letter-pages.ts";
import { confirmButton, leaveChoices } from "../../../../src/site/letters/words.ts";
import { sized } from "../../../sized.ts";
import { borrowTab, computed } from "../visit.ts";

/** An address like those of letters, at a site that answers nothing else. */
const link = "https://orbit.example/confirm/a-secret";

/** Opens a page as the server sends it, in a browser that runs no script. */
async function open(name: LetterPageName): Promise<{ page: Page; sent: Request[] }> {
	const { page, giveBack } = await borrowTab({ javaScriptEnabled: false });
	onTestFinished(giveBack);
	const pages = await readLetterPages("dist/letters");
	const sent: Request[] = [];
	await page.route("**", (route, request) => {
		if (request.method() === "POST") sent.push(request);
		return request.isNavigationRequest() ? route.fulfill(pages(200, name)) : route.abort();
	});
	await page.goto(link);
	return { page, sent };
}

const posts = [
	["leave", leaveChoices.delete.button, 3, link, "action=delete"],
	["leave", leaveChoices.stop.button, 2, link, "action=stop"],
	["confirm", confirmButton, 2, link, null],
] as const;

test.each(posts.slice(0, sized(1, posts.length)))(
	"on the page %s the keyboard reaches “%s”, which posts to the page's own address",
	async (name, button, tabs, url, body) => {
		const { page, sent } = await open(name);
		for (let n = 0; n < tabs; n++) await page.keyboard.press("Tab");
		expect(await page.locator(":focus-visible").textContent()).toBe(button);
		expect(sent).toEqual([]);
		await page.keyboard.press("Enter");
		await expect.poll(() => sent.length).toBe(1);
		expect([sent[0]!.url(), sent[0]!.postData()]).toEqual([url, body]);
		expect(await sent[0]!.headerValue("referer")).toBeNull();
	},
);

test("a new letter is asked for with an address, and not without one", async () => {
	const { page, sent } = await open("expired");
	await page.keyboard.press("Tab");
	await page.keyboard.press("Tab");
	await page.keyboard.press("Enter");
	await page.keyboard.type("ada@example.com");
	await page.keyboard.press("Enter");
	await expect.poll(() => sent.length).toBe(1);
	expect([sent[0]!.url(), sent[0]!.postData()]).toEqual([
		new URL(LETTER_PATH, link).href,
		"email=ada%40example.com",
	]);
});

test("forced colours leave no picture, and an edge around every button", async () => {
	const pages: [name: LetterPageName, controls: string[]][] = [
		["leave", [".act"]],
		["expired", [".form", ".join"]],
		["confirm", [".act"]],
	];
	for (const [name, controls] of sized(pages.slice(0, 2), pages)) {
		const { page } = await open(name);
		await page.emulateMedia({ forcedColors: "active" });
		expect(await page.locator(".stage").isVisible()).toBe(false);
		for (const control of controls) {
			for (const part of await page.locator(control).all()) {
				expect(
					await part.evaluate((it) => {
						const { borderTopStyle, borderTopColor } = getComputedStyle(it);
						return borderTopStyle === "solid" && borderTopColor !== "rgba(0, 0, 0, 0)";
					}),
					`${name} ${control}`,
				).toBe(true);
			}
		}
	}
});

test("what can be pressed is large enough for a thumb, and the two ways to leave are equal", async () => {
	for (const name of ["confirm", "leave", "expired"] as const) {
		const { page } = await open(name);
		for (const [width, height] of [
			[360, 740],
			[844, 390],
		] as const) {
			await page.setViewportSize({ width, height });
			const boxes = await page
				.locator("main :is(a, button, input), .footer a")
				.evaluateAll((all) => all.map((it) => it.getBoundingClientRect().height));
			expect(Math.min(...boxes), `${name}, ${width} px`).toBeGreaterThanOrEqual(44);
			const widths = await page
				.locator(".act")
				.evaluateAll((all) => all.map((it) => it.getBoundingClientRect().width));
			expect(new Set(widths).size, name).toBeLessThanOrEqual(1);
			// All of it is in the window, also on a phone's side.
			const below = "document.documentElement.scrollHeight - innerHeight";
			expect(await page.evaluate(below), `${name}, ${width} px`).toBe(0);
		}
	}
});

test("with more contrast, words and buttons stand on one opaque card", async () => {
	for (const name of sized(
		["leave", "expired"] as const,
		["confirm", "leave", "expired", "asked"] as const,
	)) {
		const { page } = await open(name);
		await page.emulateMedia({ contrast: "more" });
		expect(
			await page.locator("main > *").evaluateAll((all) =>
				all.map((it) => {
					const { left, right, top, bottom } = it.getBoundingClientRect();
					const outside = [...it.querySelectorAll("h1, p, button, input")].filter((part) => {
						const box = part.getBoundingClientRect();
						return box.left < left || box.right > right || box.top < top || box.bottom > bottom;
					});
					return [getComputedStyle(it).backgroundColor, outside.length];
				}),
			),
			name,
		).toEqual([[computed(inks.morning.card), 0]]);
	}
});
