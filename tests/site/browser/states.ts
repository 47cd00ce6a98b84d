import type { Page } from "playwright-core";
import { JOIN_PATH } from "#shared/join.ts";
import { type LinkPageName, linkPageNames } from "#shared/links.ts";
import { words } from "#words";
import { readLinkPages } from "../../../src/server/mail/links/link-routes.ts";
import { again, failed, missing, thanks } from "../sentences.ts";
import { emailField, newAddress, waitUntilReady } from "./visit.ts";

export interface PageState {
	name: string;
	reach(page: Page): Promise<void>;
}

/** Joins on the landing page, with a server that gives this answer. */
async function join(page: Page, answer: { status: number; json: object } | "nothing" | "failure") {
	await page.route(`**${JOIN_PATH}`, async (route) => {
		if (answer === "nothing") return;
		if (answer === "failure") return route.abort();
		await route.fulfill(answer);
	});
	await page.goto("/");
	await waitUntilReady(page);
	await emailField(page).fill("ada@example.com");
	await page.keyboard.press("Enter");
}

const loaded = (name: string, path: string): PageState => ({
	name,
	async reach(page) {
		await page.goto(path);
		await waitUntilReady(page);
	},
});

/** The server's page for a form sent without script. */
const answered = (name: string, address: string): PageState => ({
	name: `the page without script: ${name}`,
	async reach(page) {
		await page.goto("/");
		await emailField(page).fill(address);
		await page.evaluate(() => {
			HTMLFormElement.prototype.submit.call(document.querySelector(".form")!);
		});
		await page.waitForURL(`**${JOIN_PATH}`);
	},
});

/** A page behind an email link, which only the recipient can open. */
const behindLink = (name: LinkPageName): PageState => ({
	name: `behind an email link: ${name}`,
	async reach(page) {
		const { headers, body } = (await readLinkPages("dist/link-pages"))(200, name);
		await page.route("**/link-of-an-email", (route) => route.fulfill({ headers, body }));
		await page.goto("/link-of-an-email#7G2K-M0QX-1F9D-W8ZR");
		if (name === "invitation") await page.getByText("7G2K-M0QX-1F9D-W8ZR").waitFor();
	},
});

/** The states that `npm test` checks. All others combine parts of these. */
export const examplePageStates: readonly PageState[] = [
	loaded("the landing page", "/"),
	{
		name: "no address",
		async reach(page) {
			await page.goto("/");
			await waitUntilReady(page);
			await page.getByRole("button", { name: words.form.button }).click();
			await page.getByText(missing).waitFor();
		},
	},
	{
		name: "joined",
		async reach(page) {
			await join(page, { status: 201, json: { status: "registered" } });
			await page.getByText(thanks).waitFor();
		},
	},
	loaded("the confirmation", "/confirmation"),
	loaded("the privacy policy", "/privacy"),
	behindLink("invitation"),
];

export const pageStates: readonly PageState[] = [
	...examplePageStates,
	{
		name: "joining",
		async reach(page) {
			await join(page, "nothing");
			await page.getByRole("button", { name: words.form.joining }).waitFor();
		},
	},
	{
		name: "offline",
		async reach(page) {
			await join(page, "failure");
			await page.getByText(failed).waitFor();
		},
	},
	{
		name: "a duplicate",
		async reach(page) {
			await join(page, { status: 409, json: { error: "already" } });
			await page.getByText(again).waitFor();
		},
	},
	loaded("the terms", "/terms"),
	loaded("the not-found page", "/no/such/page"),
	answered("joined", newAddress()),
	answered("a refusal", "ada"),
	...linkPageNames.filter((name) => name !== "invitation").map(behindLink),
];
