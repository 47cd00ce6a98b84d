/* The pages behind email links: by keyboard, without script, and with forced colors. */
import type { Request } from "playwright-core";
import { expect, onTestFinished, test } from "vitest";
import { inks } from "#brand";
import { type LinkPageName, NEW_LINK_PATH } from "#shared/links.ts";
import { linkPages } from "#words";
import { readLinkPages } from "../../../../src/server/mail/links/link-routes.ts";
import { measureCards } from "../cards.ts";
import { borrowTab, computedColor } from "../visit.ts";

/** A URL like those in emails. The test serves only this page. */
const link = "https://orbit.example/confirm/a-secret";

async function openTab() {
	const { page, giveBack } = await borrowTab({ javaScriptEnabled: false });
	onTestFinished(giveBack);
	const pages = await readLinkPages("dist/link-pages");
	const sent: Request[] = [];
	let shown: LinkPageName;
	await page.route("**", (route, request) => {
		if (request.method() === "POST") sent.push(request);
		return request.isNavigationRequest() ? route.fulfill(pages(200, shown)) : route.abort();
	});
	return {
		page,
		sent,
		show(name: LinkPageName) {
			shown = name;
			return page.goto(link);
		},
	};
}

test("the keyboard reaches each button, which posts to the page's URL", async () => {
	const { page, sent, show } = await openTab();
	for (const [name, button, tabs, body] of [
		["delete", linkPages.delete.button, 3, "action=delete"],
		["unsubscribe", linkPages.unsubscribe.unsubscribe, 2, "action=stop"],
		["confirm", linkPages.confirm.button, 2, null],
	] as const) {
		await show(name);
		for (let n = 0; n < tabs; n++) await page.keyboard.press("Tab");
		expect(await page.locator(":focus-visible").inputValue()).toBe(button);
		expect(sent).toEqual([]);
		const answered = page.waitForEvent("load");
		await page.keyboard.press("Enter");
		await answered;
		const [request] = sent.splice(0);
		expect([request!.url(), request!.postData()]).toEqual([link, body]);
		expect(await request!.headerValue("referer")).toBeNull();
	}
});

test("deleting a record takes a second page, whose first button goes back", async () => {
	const { page, sent, show } = await openTab();
	await show("unsubscribe");
	const [meaning, button] = await Promise.all(
		["#delete", ".quiet"].map((part) => page.locator(part).boundingBox()),
	);
	expect(meaning!.y + meaning!.height).toBeLessThanOrEqual(button!.y);
	await page.getByRole("button", { name: linkPages.unsubscribe.delete }).click();
	await page.waitForURL(`${link}?action=delete`);
	await show("delete");
	await page.getByRole("link", { name: linkPages.delete.keep }).click();
	await page.waitForURL(`${link}?`);
	expect(sent).toEqual([]);
});

test("requesting a new email requires an address", async () => {
	const { page, sent, show } = await openTab();
	await show("expired");
	await page.keyboard.press("Tab");
	await page.keyboard.press("Tab");
	await page.keyboard.press("Enter");
	await page.keyboard.type("ada@example");
	await page.keyboard.press("Enter");
	expect(sent).toEqual([]);
	await page.keyboard.type(".com");
	await page.keyboard.press("Enter");
	await expect.poll(() => sent.length).toBe(1);
	expect([sent[0]!.url(), sent[0]!.postData()]).toEqual([
		new URL(NEW_LINK_PATH, link).href,
		"email=ada%40example.com",
	]);
});

test("buttons and links are thumb-sized, inside the window, and have an edge with forced colors", async () => {
	const { page, show } = await openTab();
	await page.emulateMedia({ forcedColors: "active" });
	const names = [
		...["confirm", "confirmed", "unsubscribe", "delete", "expired", "link-sent", "invitation"],
	];
	for (const name of names as LinkPageName[]) {
		await show(name);
		expect(await page.locator(".stage").isVisible()).toBe(false);
		const edges = await page
			.locator("main :is(.act, .form, .join)")
			.evaluateAll((all) => all.map((it) => getComputedStyle(it).borderTopStyle));
		expect(new Set([...edges, "solid"]).size, name).toBe(1);
		for (const [width, height] of [
			[360, 740],
			[844, 390],
		] as const) {
			await page.setViewportSize({ width, height });
			const boxes = await page
				.locator("main :is(a, button, input:not([type=hidden])):visible, .footer a")
				.evaluateAll((all) => all.map((it) => it.getBoundingClientRect().height));
			expect(Math.min(...boxes), `${name}, ${width} px`).toBeGreaterThanOrEqual(44);
			const below = "document.documentElement.scrollHeight - innerHeight";
			expect(await page.evaluate(below), `${name}, ${width} px`).toBe(0);
		}
	}
});

test("with more contrast, words and buttons are on one opaque card that overlaps no other", async () => {
	const { page, show } = await openTab();
	await page.emulateMedia({ contrast: "more" });
	for (const name of ["unsubscribe", "expired"] as const) {
		await show(name);
		expect(
			await page.locator("main > *").evaluateAll((all) =>
				all.map((it) => {
					const { left, right, top, bottom } = it.getBoundingClientRect();
					const outside = [
						...it.querySelectorAll("h1, p, button, input:not([type=hidden])"),
					].filter((part) => {
						const box = part.getBoundingClientRect();
						return box.left < left || box.right > right || box.top < top || box.bottom > bottom;
					});
					return [getComputedStyle(it).backgroundColor, outside.length];
				}),
			),
			name,
		).toEqual([[computedColor(inks.morning.card), 0]]);
		for (const [width, height] of [
			[320, 568],
			[844, 390],
		] as const) {
			await page.setViewportSize({ width, height });
			const [brand, words, imprint] = await measureCards(page);
			expect(words!.top, `${name}, ${width} px`).toBeGreaterThan(brand!.bottom);
			expect(words!.bottom, `${name}, ${width} px`).toBeLessThan(imprint!.top);
		}
	}
});
