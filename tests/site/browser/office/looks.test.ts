/** @module-tag slow */
/*
 * Every page of an office on the day of a launch, for axe and to look at:
 * node_modules/.cache/office/*.png.
 */
import { expect, test } from "vitest";
import { openOfficeDesk } from "../../../server/office/office-desk.ts";
import { usePostgres } from "../../../server/waitlist/databases.ts";
import { launch } from "./launched.ts";
import { openLookingTab, pictures, signIn } from "./rooms.ts";

const cluster = usePostgres();

const person = "/person/ada4%40mail.example.org";

/** Pages by the names of their pictures. */
const pages = {
	today: "/",
	list: "/list",
	"list-filtered": "/list?state=bounced",
	person,
	"person-done": `${person}?did=hold`,
	erase: `${person}/erase`,
	crowd: "/person/grace.hopper85%40mail.example.org",
	nobody: "/person/nobody%40example.com",
	letters: "/letters",
	unknown: "/letters/unknown",
	cancel: "/letters/cancel?wave=beta-1",
	"new-wave": "/letters/new",
	audit: "/audit",
	sessions: "/sessions",
	nothing: "/nothing",
};

test.each(["light", "dark"] as const)("the office of a launch, in the %s", async (colorScheme) => {
	const { desk, url } = await openOfficeDesk("SQLite", cluster());
	await launch(desk);
	const link = async () => (await desk.json("office")).link as string;
	const { page, look } = await openLookingTab(colorScheme, { iframes: false });
	await page.goto(url);
	await look("outside");
	await page.goto(await link());
	await look("link");
	await signIn(page, await link());
	for (const [name, path] of Object.entries(pages)) {
		await page.goto(url + path);
		await look(name);
	}
	await page.goto(`${url}/letters/new`);
	await page.getByRole("button", { name: "Look at it" }).click();
	await look("problems");
	await page.getByLabel("Name", { exact: true }).fill("beta-3");
	await page.getByLabel("How many invitations").fill("25");
	await page.getByRole("button", { name: "Look at it" }).click();
	await page.getByRole("heading", { level: 1, name: "beta-3" }).waitFor();
	await look("plan");
	// Chromium draws no frame that is out of sight, so that the pictures above may show none.
	const letter = page.locator("iframe");
	await letter.scrollIntoViewIfNeeded();
	const drawn = async () =>
		(await letter.screenshot({ path: `${pictures}/frame-${colorScheme}.png` })).length;
	await expect.poll(drawn).toBeGreaterThan(20_000);
	await desk.read(
		"UPDATE outbox SET paused_until = '9999-12-31T23:59:59.999Z', reason = 'Many addresses do not exist.', cause = 'operator'",
	);
	await page.goto(url);
	await look("today-paused");
	await page.emulateMedia({ media: "print" });
	await page.setViewportSize({ width: 720, height: 1000 });
	await page.screenshot({ path: `${pictures}/today-print-${colorScheme}.png`, fullPage: true });
	expect(await page.locator(".masthead").isVisible()).toBe(false);
});
