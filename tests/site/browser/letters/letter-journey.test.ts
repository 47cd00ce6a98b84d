/** @module-tag slow */
/* From the form to the inbox and back, in a real browser, on the built product with a real mail server. */
import type { Page } from "playwright-core";
import { expect, onTestFinished, test } from "vitest";
import { words } from "#brand";
import {
	type MailServer,
	readLetter,
	startMailServer,
} from "../../../../bench/harness/mail-server.ts";
import {
	confirmButton,
	deleteChoices,
	leaveChoices,
	letterPageWords,
} from "../../../../src/site/letters/words.ts";
import { type ServerProcess, startServer } from "../../../server-process.ts";
import { sharedChromium } from "../../../shared.ts";
import { temporaryFolder } from "../../../temporary.ts";
import { again, thanks } from "../../sentences.ts";

const address = "ada@example.com";
const origin = "https://orbit.example";
const soon = { interval: 50 };

async function open() {
	const mailServer = await startMailServer();
	onTestFinished(() => mailServer.stop());
	const server = await startServer({
		folder: await temporaryFolder(),
		env: {
			SMTP_URL: mailServer.url,
			WAITLIST_MAIL_FROM: "Orbit <hello@orbit.example>",
			SITE_ORIGIN: origin,
			WAITLIST_MAIL_RATE: "0",
		},
	});
	const browser = await sharedChromium();
	const context = await browser.newContext({ javaScriptEnabled: false });
	onTestFinished(() => context.close());
	return { mailServer, server, page: await context.newPage() };
}

async function join(page: Page, server: ServerProcess, sentence: string) {
	await page.goto(server.url);
	await page.getByLabel(words.form.label).fill(address);
	await page.getByRole("button", { name: words.form.button }).click();
	await expect.poll(() => page.locator("body").textContent(), soon).toContain(sentence);
}

/** Opens a link of the latest letter at the server of the test. */
async function openLink(page: Page, server: ServerProcess, mailServer: MailServer, part: string) {
	const { text = "" } = await readLetter(mailServer.kept.at(-1)!);
	const [link] = new RegExp(`${origin}/${part}/\\S+`).exec(text)!;
	await page.goto(link.replace(origin, server.url));
}

const heading = (page: Page) => page.locator("h1").textContent();

test("a visitor joins, confirms, leaves and joins again, without script", async () => {
	const { mailServer, page, server } = await open();
	await join(page, server, thanks);
	await expect.poll(() => mailServer.kept.length, soon).toBe(1);

	await openLink(page, server, mailServer, "confirm");
	await page.getByRole("button", { name: confirmButton }).click();
	await expect.poll(() => heading(page), soon).toBe(letterPageWords.confirmed.heading);
	await page.reload();
	expect(await heading(page)).toBe(letterPageWords.confirmed.heading);

	await openLink(page, server, mailServer, "leave");
	await page.getByRole("button", { name: leaveChoices.stop.button }).click();
	await expect.poll(() => heading(page), soon).toBe(letterPageWords.left.heading);

	// They are on the list still: the sentence is the one for people who are.
	await join(page, server, again);
	expect(mailServer.kept).toHaveLength(1);

	await openLink(page, server, mailServer, "leave");
	await page.getByRole("button", { name: leaveChoices.delete.button }).click();
	await expect.poll(() => heading(page), soon).toBe(letterPageWords.delete.heading);
	await page.getByRole("link", { name: deleteChoices.keep }).click();
	await page.getByRole("button", { name: leaveChoices.delete.button }).click();
	await page.getByRole("button", { name: deleteChoices.delete }).click();
	await expect.poll(() => heading(page), soon).toBe(letterPageWords.deleted.heading);
	await join(page, server, thanks);
	await expect.poll(() => mailServer.kept.length, soon).toBe(2);
});
