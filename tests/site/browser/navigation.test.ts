import { expect, test } from "vitest";
import { brand, inks, sky } from "#brand";
import { words } from "#words";
import { headline, headlineStart } from "../sentences.ts";
import { computedColor, emailField, visitPage, waitUntilReady } from "./visit.ts";

test("an unknown path has status 404, a home link without script, and thumb-sized footer links", async () => {
	const { page } = await visitPage("/", { javaScriptEnabled: false });
	const scripts: string[] = [];
	page.on("request", (request) => {
		if (request.resourceType() === "script") scripts.push(request.url());
	});
	for (const path of ["/privacy", "/no/such/page"]) {
		const response = await page.goto(path);
		expect(response?.status()).toBe(path === "/privacy" ? 200 : 404);
		expect(await page.locator("script").count()).toBe(0);
	}
	expect(scripts).toEqual([]);
	await page.getByRole("heading", { level: 1, name: words.notFound.title }).waitFor();
	await page.getByRole("link", { name: words.notFound.home }).click();
	await page.getByRole("heading", { level: 1, name: headline }).waitFor();
	const footer = page.locator(".footer");
	await footer.getByText(brand.company, { exact: true }).waitFor();
	const heights = await footer
		.locator("a")
		.evaluateAll((links) => links.map((link) => link.getBoundingClientRect().height));
	expect(heights).toHaveLength(2);
	expect(Math.min(...heights)).toBeGreaterThanOrEqual(44);
});

test("without script, a legal text's contents mark the current section, and on a phone fold above it", async ({
	skip,
}) => {
	const { page } = await visitPage("/terms", { javaScriptEnabled: false });
	const contents = page.locator(".contents-above");
	expect((await contents.boundingBox())!.height).toBeLessThan(60);
	await contents.locator("summary").press("Enter");
	const last = contents.locator("a").last();
	const title = await last.textContent();
	await last.click();
	await expect.poll(() => page.locator("section:target h2").textContent()).toContain(title);
	expect(await page.evaluate(() => scrollY)).toBeGreaterThan(1000);

	await page.setViewportSize({ width: 1440, height: 900 });
	await page.goto("/privacy");
	const marks = await page.evaluate(() => CSS.supports("selector(a:target-current)"));
	skip(!marks, "This Chromium cannot mark it without script.");
	const marked = page.locator(".contents a:target-current");
	expect(await marked.textContent()).toBe("Information We Collect");
	await page.evaluate(() => document.querySelector("#security")?.scrollIntoView());
	await expect.poll(() => marked.textContent()).toBe("Security");
});

test("legal texts follow the system's color scheme", async () => {
	const { page } = await visitPage("/terms");
	for (const [colorScheme, { ground, ink }] of [
		["light", inks.paper],
		["dark", inks.darkPaper],
	] as const) {
		await page.emulateMedia({ colorScheme });
		const seen = await page.evaluate(() => ({
			ground: getComputedStyle(document.documentElement).backgroundColor,
			ink: getComputedStyle(document.querySelector("main")!).color,
			frame: [...document.querySelectorAll<HTMLMetaElement>('meta[name="theme-color"]')].find(
				({ media }) => matchMedia(media).matches,
			)?.content,
		}));
		expect(seen).toEqual({ ground: computedColor(ground), ink: computedColor(ink), frame: ground });
	}
});

test("between pages with script nothing reloads; title, focus and scroll follow; the console is clean", async () => {
	const { page, complaints } = await visitPage("/confirmation", { moving: true });
	await page.locator(".stage[data-backend]").waitFor({ state: "attached" });
	await page.evaluate(() => Object.assign(window, { sameDocument: true }));
	await page.getByRole("link", { name: brand.product }).click();
	await page.getByRole("heading", { level: 1, name: headlineStart }).waitFor();
	expect(await page.title()).toBe(words.title);
	const canonical = page.locator("link[rel=canonical]");
	expect(await canonical.getAttribute("href")).toBe(`${brand.origin}/`);
	const frame = page.locator('meta[name="theme-color"]:not([media])');
	expect(await frame.getAttribute("content")).toBe(sky.morning.colors[0]);
	expect(await page.evaluate(() => document.activeElement?.tagName)).toBe("H1");
	expect(await page.evaluate(() => scrollY)).toBe(0);

	// A link to the current page adds no history entry.
	await page.evaluate(() => history.replaceState("before", ""));
	await page.getByRole("link", { name: brand.product }).click();
	await page.waitForFunction(() => history.state !== "before");
	await page.goBack();
	await page.getByRole("heading", { level: 1, name: words.confirmation.title }).waitFor();
	expect(await page.title()).toBe(`${words.confirmation.title} · ${brand.product}`);
	expect(await page.evaluate(() => "sameDocument" in window)).toBe(true);
	await page.evaluate(() => document.fonts.ready);
	// Ignores warnings about the speed of software GL.
	expect(complaints.filter((it) => !it.includes("GL Driver Message"))).toEqual([]);
});

test("back and forward always show the URL's page as it was left", async () => {
	const { page, complaints } = await visitPage("/");
	await emailField(page).fill("ada@exam");
	const shows = (name: string | RegExp) => page.getByRole("heading", { level: 1, name }).waitFor();
	const landing = headlineStart;
	await page.getByRole("link", { name: "Terms of Service" }).click();
	await shows("Terms of Service");
	await page.getByRole("link", { name: "Back to home" }).click();
	await shows(landing);
	await page.goBack();
	await shows("Terms of Service");
	await page.goBack();
	await shows(landing);
	await waitUntilReady(page);
	expect(await emailField(page).inputValue()).toBe("ada@exam");
	await page.goForward();
	await shows("Terms of Service");
	await page.reload();
	await page.goBack();
	await shows(landing);
	expect(complaints).toEqual([]);
});
