/** @module-tag slow */
/*
 * Letters and waves of the office in a browser, on the built server with a real mail server, without script.
 */
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { openOfficeDesk } from "../../../server/office/office-desk.ts";
import { usePostgres } from "../../../server/waitlist/databases.ts";
import { heading, openLookingTab, openTab, signIn } from "./rooms.ts";

const cluster = usePostgres();

async function openDesk() {
	const { desk, url } = await openOfficeDesk("SQLite", cluster());
	await desk.people(30);
	return { desk, url, link: async () => (await desk.json("office")).link as string };
}

async function write(page: Page): Promise<void> {
	await page.getByRole("link", { name: "New wave" }).click();
	await page.getByLabel("Name", { exact: true }).fill("beta-1");
	await page.getByLabel("How many invitations").fill("3");
	await page.getByLabel("Subject").fill("You’re in");
	await page.getByLabel("Message").fill("Your place has come up.\n\n{link}\n\nUntil {expires}.");
	await page.getByRole("button", { name: "Look at it" }).click();
	await page.getByRole("heading", { level: 1, name: "beta-1" }).waitFor();
}

test("a wave goes from its form to letters, is paused and cancelled, without script", async () => {
	const { desk, url, link } = await openDesk();
	const page = await openTab({ javaScriptEnabled: false });
	await signIn(page, await link());
	await page.getByRole("link", { name: "Letters", exact: true }).click();
	await write(page);
	const letter = page.frameLocator("iframe");
	expect(await letter.locator("h1").textContent()).toBe("You’re in");
	// What the letter leads to opens nothing here.
	await letter.getByRole("link", { name: "Accept the invitation" }).click();
	expect(page.url()).toMatch(new RegExp(`^${url}/letters/new/[\\da-f]{32}$`));
	await page.getByLabel(/would not say who writes/).check();
	await page.getByRole("button", { name: "Send 3 letters" }).click();
	await expect.poll(() => heading(page)).toBe("Letters");
	await expect.poll(() => desk.arrived()).toBe(3);
	await page.getByRole("button", { name: "Pause beta-1" }).click();
	await page.getByRole("button", { name: "Resume beta-1" }).click();
	await page.getByRole("link", { name: "Cancel beta-1" }).click();
	expect(await heading(page)).toBe("Cancel beta-1?");
	await page.getByRole("button", { name: "Cancel this wave for good" }).click();
	await expect.poll(() => page.locator(".wave .mark-here").textContent()).toBe("cancelled");
});

test.each(["light", "dark"] as const)(
	"axe finds nothing on the pages of letters, and every control is large enough for a thumb, in the %s",
	async (colorScheme) => {
		const { desk, url, link } = await openDesk();
		const { page, look } = await openLookingTab(colorScheme, { iframes: false });
		await signIn(page, await link());
		await page.goto(`${url}/letters`);
		await look("letters-none");
		await write(page);
		await look("letters-plan");
		await page.goto(`${url}/letters/new`);
		await page.getByRole("button", { name: "Look at it" }).click();
		await look("letters-problems");
		await desk.json("invite 10 --wave beta-1 --yes");
		await desk.read(
			"UPDATE letter SET state = 'unknown' WHERE email_key IN ('p1@example.com', 'p2@example.com')",
		);
		await desk.read(
			"UPDATE outbox SET paused_until = '9999-12-31T23:59:59.999Z', reason = 'Many addresses do not exist.', cause = 'operator'",
		);
		for (const path of ["", "/unknown", "/cancel?wave=beta-1"]) {
			await page.goto(`${url}/letters${path}`);
			await look(
				`letters${path.replace(/\W.*/, "").replace("/", "-") || (path ? `-${path.split(/\W/)[1]}` : "")}`,
			);
		}
	},
);
