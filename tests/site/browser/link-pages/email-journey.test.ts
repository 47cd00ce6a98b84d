/** @module-tag slow */
/* From the form to the inbox and back, on the built product with a real mail server. */
import { expect, onTestFinished, test } from "vitest";
import { linkPages, words } from "#words";
import { parseEmail, startMailServer } from "../../../../bench/harness/mail-server.ts";
import { startServer } from "../../../server-process.ts";
import { sharedChromium } from "../../../shared.ts";
import { temporaryFolder } from "../../../temporary.ts";
import { again, thanks } from "../../sentences.ts";

const origin = "https://orbit.example";
const soon = { interval: 50 };

test("a visitor joins, confirms, leaves and joins again, without script", async () => {
	const mailServer = await startMailServer();
	onTestFinished(() => mailServer.stop());
	const { url } = await startServer({
		folder: await temporaryFolder(),
		env: {
			SMTP_URL: mailServer.url,
			WAITLIST_MAIL_FROM: "Orbit <hello@orbit.example>",
			SITE_ORIGIN: origin,
			WAITLIST_SEND_RATE: "0",
		},
	});
	const context = await (await sharedChromium()).newContext({ javaScriptEnabled: false });
	onTestFinished(() => context.close());
	const page = await context.newPage();
	const button = (name: string) => page.getByRole("button", { name }).click();
	const shows = (heading: string) =>
		page.getByRole("heading", { level: 1, name: heading }).waitFor();
	async function join(sentence: string) {
		await page.goto(url);
		await page.getByLabel(words.form.label).fill("ada@example.com");
		await button(words.form.button);
		await page.getByText(sentence).waitFor();
	}
	async function openLink(part: string) {
		const { text = "" } = await parseEmail(mailServer.kept.at(-1)!);
		const [link] = new RegExp(`${origin}/${part}/\\S+`).exec(text)!;
		await page.goto(link.replace(origin, url));
	}

	await join(thanks);
	await expect.poll(() => mailServer.kept.length, soon).toBe(1);
	await openLink("confirm");
	await button(linkPages.confirm.button);
	await shows(linkPages.confirmed.heading);
	await page.reload();
	await shows(linkPages.confirmed.heading);

	await openLink("unsubscribe");
	await button(linkPages.unsubscribe.unsubscribe);
	await shows(linkPages.unsubscribed.heading);
	// The person is still on the list, so joining shows the sentence for duplicates.
	await join(again);
	expect(mailServer.kept).toHaveLength(1);

	await openLink("unsubscribe");
	await button(linkPages.unsubscribe.delete);
	await shows(linkPages.delete.heading);
	await page.getByRole("link", { name: linkPages.delete.keep }).click();
	await button(linkPages.unsubscribe.delete);
	await button(linkPages.delete.button);
	await shows(linkPages.deleted.heading);
	await join(thanks);
	await expect.poll(() => mailServer.kept.length, soon).toBe(2);
});
