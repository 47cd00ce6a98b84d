import { readFile } from "node:fs/promises";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { JOIN_PATH } from "#shared/join.ts";
import { words } from "#words";
import { emailField, visitPage } from "./visit.ts";

interface Shared {
	url: string;
	files: { type: string; name: string }[];
}

/** Joins as a new visitor, and records all later requests. */
async function join(prepare?: (page: Page) => Promise<unknown>) {
	const { page, complaints } = await visitPage("/", {
		reducedMotion: "reduce",
		prepare: async (page) => prepare?.(page),
	});
	await page.route(`**${JOIN_PATH}`, (route) => route.fulfill({ status: 201, json: {} }));
	await emailField(page).fill("ada@example.com");
	await page.keyboard.press("Enter");
	const asked: string[] = [];
	page.on("request", (request) => asked.push(`${request.method()} ${request.url()}`));
	const show = page.getByRole("button", { name: words.moon.show });
	await show.waitFor();
	return { page, complaints, asked, show };
}

test("passes a picture and the URL to the share sheet, and sends nothing", async () => {
	const { page, asked, show, complaints } = await join((page) =>
		page.addInitScript(() => {
			const shared = window as unknown as { shared: unknown[] };
			shared.shared = [];
			Object.assign(navigator, {
				canShare: () => true,
				share: async ({ url, files = [] }: ShareData) => {
					shared.shared.push({ url, files: files.map(({ type, name }) => ({ type, name })) });
				},
			});
		}),
	);
	await show.click();
	await page.waitForFunction(() => (window as unknown as { shared: unknown[] }).shared.length > 0);
	const [shared] = await page.evaluate(() => (window as unknown as { shared: Shared[] }).shared);
	expect(shared!.url).toBe(`${new URL(page.url()).origin}/`);
	expect(shared!.files).toMatchObject([{ type: "image/png" }]);
	// All requests fetch code: none sends data.
	for (const request of asked) expect(request).toMatch(/^GET .*\/assets\//);
	expect(await page.getByText(words.moon.saved).count()).toBe(0);
	expect(complaints).toEqual([]);
});

test("saves a 1200 x 630 picture if the system cannot share", { tags: "slow" }, async () => {
	const { page, show, complaints } = await join((page) =>
		page.addInitScript(() => Object.assign(navigator, { canShare: undefined })),
	);
	const [download] = await Promise.all([page.waitForEvent("download"), show.click()]);
	await page.getByText(words.moon.saved).waitFor();
	const png = await readFile(await download.path());
	expect([png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual([1200, 630]);
	// A PNG of a single color would be smaller.
	expect(png.length).toBeGreaterThan(50_000);
	if (process.env.CARD) await download.saveAs(process.env.CARD);
	expect(complaints).toEqual([]);
});

test("copies the URL without WebGL", async () => {
	const { page, show } = await join((page) =>
		page.addInitScript(() => {
			HTMLCanvasElement.prototype.getContext = () => null;
			Object.assign(navigator, { canShare: undefined });
		}),
	);
	await page.context().grantPermissions(["clipboard-write"]);
	await show.click();
	await page.getByText(words.moon.copied).waitFor();
});
