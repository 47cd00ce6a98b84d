/* The admin pages on the built server: without script, by keyboard, and with axe. */
import axe from "axe-core";
import type { BrowserContextOptions, Page } from "playwright-core";
import { expect, onTestFinished, test } from "vitest";
import { emails } from "#words";
import { findFreePort } from "../../../../bench/harness/built-site.ts";
import { openAdminSetup } from "../../../server/admin/open-admin.ts";
import { runCommand } from "../../../server/commands/command-setup.ts";
import { postJoin, startServer } from "../../../server-process.ts";
import { sharedChromium } from "../../../shared.ts";
import { temporaryFolder } from "../../../temporary.ts";

async function openTab(options: BrowserContextOptions): Promise<Page> {
	const context = await (await sharedChromium()).newContext(options);
	onTestFinished(() => context.close());
	return context.newPage();
}

const heading = (page: Page) => page.locator("h1").textContent();

async function signIn(page: Page, link: string): Promise<void> {
	await page.goto(link);
	await page.getByRole("button", { name: "Sign in" }).click();
	await page.getByRole("heading", { level: 1, name: "Today" }).waitFor();
}

function examine(): string[] {
	const { scrollWidth, clientWidth } = document.documentElement;
	const sideways = scrollWidth > clientWidth ? [`scrolls sideways by ${scrollWidth}`] : [];
	const controls = document.querySelectorAll<HTMLElement>("a, button, input, select, summary");
	const small = [...controls].filter((control) => {
		// A control's label can be tapped, too.
		const { height } = (control.closest("label") ?? control).getBoundingClientRect();
		const isShown = control.checkVisibility() && control.matches(":not(.skip, [type=hidden])");
		return isShown && height < 43.99;
	});
	return [...sideways, ...small.map((control) => `small: ${control.textContent}`)];
}

async function openLookingTab() {
	const page = await openTab({
		// The Content-Security-Policy would block axe.
		bypassCSP: true,
		colorScheme: "dark",
		reducedMotion: "reduce",
		viewport: { width: 320, height: 640 },
	});
	const look = async (name: string) => {
		expect.soft(await page.evaluate(examine), name).toEqual([]);
		await page.evaluate(axe.source);
		const found = await page.evaluate(async () => {
			const { axe } = globalThis as unknown as { axe: typeof import("axe-core") };
			const { violations } = await axe.run(document, {
				runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"],
				resultTypes: ["violations"],
				// axe cannot run in the email preview, whose sandbox forbids scripts.
				iframes: false,
			});
			return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join()}`);
		});
		expect.soft(found, name).toEqual([]);
	};
	return { page, look };
}

test("a founder signs in by a link, visits the pages by keyboard and signs out, without script or axe findings", async () => {
	const folder = await temporaryFolder();
	const env = { WAITLIST_ADMIN_PORT: `${await findFreePort()}` };
	const server = await startServer({ folder, env });
	await postJoin(server.url, "ada@example.com");
	const { stdout } = await runCommand(folder, ["admin", "--json"], { env });
	const { link } = JSON.parse(stdout) as { link: string };
	const url = `http://127.0.0.1:${env.WAITLIST_ADMIN_PORT}`;
	const { page: phone, look } = await openLookingTab();
	for (const path of [url, link]) {
		await phone.goto(path);
		await look(path);
	}

	const page = await openTab({ javaScriptEnabled: false });
	await page.goto(url);
	expect(await heading(page)).toBe("Sign in");
	await signIn(page, link);
	expect(page.url()).toBe(`${url}/`);
	for (const room of ["People", "Waves", "Emails", "Activity", "Today"]) {
		await page.getByRole("link", { name: room, exact: true }).focus();
		await page.keyboard.press("Enter");
		await expect.poll(() => heading(page)).toBe(room);
		expect(await page.locator("[aria-current=page]").textContent()).toBe(room);
	}
	await page.keyboard.press("Tab");
	expect(await page.locator(":focus-visible").textContent()).toBe("Skip to content");
	await phone.goto(link);
	expect(await heading(phone)).toBe("This link no longer works");

	await phone.context().addCookies(await page.context().cookies());
	const person = "/people/ada%40example.com";
	for (const room of [
		...["/", "/people", person, `${person}/delete`, "/waves", "/emails", "/activity"],
	]) {
		await phone.goto(url + room);
		await look(room);
	}
	await page.getByRole("button", { name: "Sign out", exact: true }).click();
	await expect.poll(() => heading(page)).toBe("Sign in");
	await page.goBack();
	await page.reload();
	expect(await heading(page)).toBe("Sign in");
});

test("a founder previews a wave, and deletes a person after a confirmation", {
	tags: "slow",
}, async () => {
	const { setup, url } = await openAdminSetup("SQLite");
	await setup.people(30);
	const { page, look } = await openLookingTab();
	await signIn(page, (await setup.json("admin")).link as string);
	await page.getByRole("link", { name: "Waves", exact: true }).click();
	await look("waves");
	await page.getByRole("link", { name: "New wave" }).click();
	await page.getByRole("button", { name: "Preview" }).click();
	await look("problems");
	await page.getByLabel("Name", { exact: true }).fill("beta-1");
	await page.getByLabel("How many invitations").fill("3");
	await page.getByLabel("Subject").fill("You’re in");
	await page.getByLabel("Message").fill("Your place has come up.\n\n{link}\n\nUntil {expires}.");
	await page.getByRole("button", { name: "Preview" }).click();
	await page.getByRole("heading", { level: 1, name: "beta-1" }).waitFor();
	await look("plan");
	const email = page.frameLocator("iframe");
	expect(await email.locator("h1").textContent()).toBe("You’re in");
	// Links in the email preview do nothing.
	await email.getByRole("link", { name: emails.invitation.button }).click();
	expect(page.url()).toBe(`${url}/waves/new`);

	await page.goto(url);
	await page.getByLabel("Find a person by address").fill("p7@EXAMPLE.com");
	await page.getByRole("button", { name: "Find" }).click();
	await expect.poll(() => heading(page)).toBe("P7@Example.com");
	await page.getByRole("link", { name: "Delete…" }).click();
	await expect.poll(() => heading(page)).toBe("Delete this person?");
	await page.getByRole("button", { name: "Delete", exact: true }).click();
	await expect.poll(() => heading(page)).toBe("Deleted");
	expect(await page.locator(".receipt").textContent()).toMatch(/hash: {4}[\da-f]{64}/);

	// In print, pages are black on white, without controls.
	await page.goto(`${url}/activity`);
	await page.emulateMedia({ media: "print" });
	for (const part of [".masthead", ".light", ".foot"]) {
		expect(await page.locator(part).first().isVisible(), part).toBe(false);
	}
	const inks = await page.evaluate(() =>
		[...document.querySelectorAll("h1, .lead, td, th")].map((it) => getComputedStyle(it).color),
	);
	expect(new Set(inks)).toEqual(new Set(["rgb(0, 0, 0)"]));
});
