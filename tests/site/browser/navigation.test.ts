/* The pages, and the ways between them. */
import { expect, test } from "vitest";
import { brand, inks, words } from "#brand";
import { headline, headlineStart } from "../sentences.ts";
import { computed, email, ready, visit } from "./visit.ts";

test.each([false])(
	"an unknown path is the not-found page with status 404 (JavaScript: %s)",
	async (javaScriptEnabled) => {
		const { page } = await visit("/", { javaScriptEnabled });
		const response = await page.goto("/no/such/page");
		expect(response?.status()).toBe(404);
		await page.getByRole("heading", { level: 1, name: words.notFound.title }).waitFor();
		await page.getByRole("link", { name: words.notFound.home }).click();
		await page.getByRole("heading", { level: 1, name: headlineStart }).waitFor();
	},
);

const pages: [path: string, title: string, heading: string][] = [
	["/", words.title, headline],
	["/confirmation", `${words.confirmation.title} · ${brand.product}`, words.confirmation.title],
	["/privacy", `Privacy Policy · ${brand.product}`, "Privacy Policy"],
	["/terms", `Terms of Service · ${brand.product}`, "Terms of Service"],
];

test.each(pages)(
	"%s has its title and heading, and no complaint in the console",
	async (path, title, heading) => {
		const { page, complaints } = await visit(path, { moving: true });
		if (["/", "/confirmation"].includes(path)) {
			await page.locator(".stage[data-backend]").waitFor({ state: "attached" });
		}
		expect(await page.title()).toBe(title);
		expect(await page.getByRole("heading", { level: 1, name: heading }).count()).toBe(1);
		await page.evaluate(() => document.fonts.ready);
		expect(complaints).toEqual([]);
	},
);

test.each(["/"])("the foot of %s names the company, and a thumb hits its links", async (path) => {
	const { page } = await visit(path);
	const footer = page.locator(".footer");
	await footer.getByText(brand.company, { exact: true }).waitFor();
	for (const width of [360, 1440]) {
		await page.setViewportSize({ width, height: 740 });
		const heights = await footer
			.locator("a")
			.evaluateAll((links) => links.map((link) => link.getBoundingClientRect().height));
		expect(heights).toHaveLength(2);
		expect(Math.min(...heights)).toBeGreaterThanOrEqual(44);
	}
});

test.each(["/privacy", "/no/such/page"])("%s loads no script", async (path) => {
	const { page } = await visit("/", { javaScriptEnabled: false });
	const scripts: string[] = [];
	page.on("request", (request) => {
		if (request.resourceType() === "script") scripts.push(request.url());
	});
	await page.goto(path, { waitUntil: "networkidle" });
	expect(await page.locator("script").count()).toBe(0);
	expect(scripts).toEqual([]);
});

test("the contents of a legal text mark the section that is read, without script", async ({
	skip,
}) => {
	const viewport = { width: 1440, height: 900 };
	const { page } = await visit("/privacy", { viewport, javaScriptEnabled: false });
	const marks = await page.evaluate(() => CSS.supports("selector(a:target-current)"));
	skip(!marks, "This Chromium cannot mark it without script.");
	const marked = page.locator(".contents a:target-current");
	expect(await marked.textContent()).toBe("Information We Collect");
	await page.evaluate(() => document.querySelector("#security")?.scrollIntoView());
	await expect.poll(() => marked.textContent()).toBe("Security");
	expect(await page.locator(".contents a").evaluateAll((links) => links.length)).toBe(12);
});

test("on a phone the contents of a legal text are folded above it, and lead into it without script", async () => {
	const { page } = await visit("/terms", { javaScriptEnabled: false });
	const contents = page.locator(".contents-above");
	expect((await contents.boundingBox())!.height).toBeLessThan(60);
	await contents.locator("summary").press("Enter");
	const last = contents.locator("a").last();
	const title = await last.textContent();
	await last.click();
	await expect.poll(() => page.locator("section:target h2").textContent()).toContain(title);
	expect(await page.evaluate(() => scrollY)).toBeGreaterThan(1000);
});

test.each([
	["light", inks.paper],
	["dark", inks.darkPaper],
] as const)("a visitor whose system is %s reads the legal texts so", async (colorScheme, paper) => {
	const { page } = await visit("/terms", { colorScheme });
	const seen = await page.evaluate(() => ({
		ground: getComputedStyle(document.documentElement).backgroundColor,
		ink: getComputedStyle(document.querySelector("main")!).color,
		frame: [...document.querySelectorAll<HTMLMetaElement>('meta[name="theme-color"]')].find(
			({ media }) => matchMedia(media).matches,
		)?.content,
	}));
	const { ground, ink } = paper;
	expect(seen).toEqual({ ground: computed(ground), ink: computed(ink), frame: ground });
});

test.each([2])(
	"the mark beside the name is not squashed at %ix: a circle in its place is one",
	async (deviceScaleFactor) => {
		const { page } = await visit("/no/such/page", {
			deviceScaleFactor,
			bypassCSP: true,
		});
		// Any brand's logo: a black circle in its place, on white.
		const mark = page.locator(".brand > img");
		await mark.evaluate((image: HTMLImageElement) => {
			image.src = `data:image/svg+xml,${encodeURIComponent('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><path fill="#fff" d="M0 0h32v32H0z"/><circle cx="16" cy="16" r="9"/></svg>')}`;
			return image.decode();
		});
		const png = await mark.screenshot();
		const { width, height, box } = await page.evaluate(async (base64) => {
			const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
			const image = await createImageBitmap(new Blob([bytes]));
			const context = new OffscreenCanvas(image.width, image.height).getContext("2d")!;
			context.drawImage(image, 0, 0);
			const { width, height } = image;
			const { data } = context.getImageData(0, 0, width, height);
			/** How much ink each column and each row has. */
			const columns = new Array<number>(width).fill(0);
			const rows = new Array<number>(height).fill(0);
			for (let y = 0; y < height; y++) {
				for (let x = 0; x < width; x++) {
					const ink = 255 - data[4 * (y * width + x)]!;
					columns[x]! += ink;
					rows[y]! += ink;
				}
			}
			return { width, height, box: [columns, rows] };
		}, png.toString("base64"));
		expect([width, height]).toEqual(Array(2).fill(24 * deviceScaleFactor));
		// As high as it is wide, and above as below.
		const [columns, rows] = box;
		const furthest = (one: number[], other: number[]) =>
			Math.max(...one.map((ink, at) => Math.abs(ink - other[at]!) / 255));
		// Half a pixel of an oval adds 5 px of ink to its first row; the browser's smoothing is 1.4 px off.
		expect(furthest(rows!, columns!)).toBeLessThan(2);
		expect(furthest(rows!, rows!.toReversed())).toBeLessThan(2);
		expect(Math.max(...rows!) / 255).toBeGreaterThan(12 * deviceScaleFactor);
	},
);

test("between pages with script nothing reloads, and title, focus and scroll follow", async () => {
	const { page, complaints } = await visit("/confirmation", { moving: true });
	await page.evaluate(() => Object.assign(window, { sameDocument: true }));
	await page.getByRole("link", { name: brand.product }).click();
	await page.getByRole("heading", { level: 1, name: headlineStart }).waitFor();
	expect(await page.title()).toBe(words.title);
	expect(await page.evaluate(() => document.activeElement?.tagName)).toBe("H1");
	expect(await page.evaluate(() => scrollY)).toBe(0);

	// A link to the current page adds no entry to the history.
	await page.evaluate(() => history.replaceState("before", ""));
	await page.getByRole("link", { name: brand.product }).click();
	await page.waitForFunction(() => history.state !== "before");
	await page.goBack();
	await page.getByRole("heading", { level: 1, name: words.confirmation.title }).waitFor();
	expect(await page.title()).toBe(`${words.confirmation.title} · ${brand.product}`);
	expect(await page.evaluate(() => "sameDocument" in window)).toBe(true);
	expect(complaints).toEqual([]);
});

test("going back and forward always ends on the page of the address, as it was left", async () => {
	const { page, complaints } = await visit("/");
	await email(page).fill("ada@exam");
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
	await ready(page);
	expect(await email(page).inputValue()).toBe("ada@exam");
	await page.goForward();
	await shows("Terms of Service");
	await page.reload();
	await page.goBack();
	await shows(landing);
	expect(complaints).toEqual([]);
});

test("going back after a reload ends on the page of the address as well", {
	tags: "slow",
}, async () => {
	const { page, complaints } = await visit("/confirmation");
	await page.getByRole("link", { name: brand.product }).click();
	await page.getByRole("heading", { level: 1, name: headlineStart }).waitFor();
	await page.reload();
	await page.goBack();
	await page.getByRole("heading", { level: 1, name: words.confirmation.title }).waitFor();
	expect(complaints).toEqual([]);
});
