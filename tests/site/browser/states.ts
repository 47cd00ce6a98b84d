import type { Page } from "playwright-core";
import { words } from "#brand";
import { JOIN_PATH } from "#shared/join.ts";
import { type LetterPageName, letterPageNames } from "#shared/letters.ts";
import { readLetterPages } from "../../../src/server/letters/links/letter-pages.ts";
import { again, failed, missing, thanks } from "../sentences.ts";
import { email, ready } from "./visit.ts";

/** A page of the site in one of its states. */
export interface State {
	name: string;
	/** Brings a new tab there. */
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
	await ready(page);
	await email(page).fill("ada@example.com");
	await page.keyboard.press("Enter");
}

/** A page as it is loaded. */
const loaded = (name: string, path: string): State => ({
	name,
	async reach(page) {
		await page.goto(path);
		await ready(page);
	},
});

/** The server's page for the last of some forms that were sent without script. */
const answered = (name: string, addresses: readonly string[]): State => ({
	name: `the page without script: ${name}`,
	async reach(page) {
		for (const address of addresses) {
			await page.goto("/");
			await page.evaluate(
				([path, address]) => {
					const form = Object.assign(document.createElement("form"), {
						method: "post",
						action: path,
					});
					const field = Object.assign(document.createElement("input"), {
						name: "email",
						value: address,
					});
					form.append(field);
					document.body.append(form);
					form.submit();
				},
				[JOIN_PATH, address] as const,
			);
			await page.waitForURL(`**${JOIN_PATH}`);
		}
	},
});

/** A page behind a link of a letter, which only the person who got the letter can open. */
const behindLink = (name: LetterPageName): State => ({
	name: `behind a letter's link: ${name}`,
	async reach(page) {
		const { headers, body } = (await readLetterPages("dist/letters"))(200, name);
		await page.route("**/link-of-a-letter", (route) => route.fulfill({ headers, body }));
		await page.goto("/link-of-a-letter#7G2K-M0QX-1F9D-W8ZR");
		if (name === "invitation") await page.getByText("7G2K-M0QX-1F9D-W8ZR").waitFor();
	},
});

export const notFound = loaded("the not-found page", "/no/such/page");

const letterPagesOfEveryRun: readonly LetterPageName[] = ["invitation"];

/** The states of `npm test`. Each other state is made of the same parts as one of these. */
export const examples: readonly State[] = [
	loaded("the landing page", "/"),
	{
		name: "no address",
		async reach(page) {
			await page.goto("/");
			await ready(page);
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
	...letterPagesOfEveryRun.map(behindLink),
];

/** Every page of the site, in every state that it can have (promises 1 and 14 to 18). */
export const states: readonly State[] = [
	...examples,
	{
		name: "joining",
		async reach(page) {
			await join(page, "nothing");
			await page.getByRole("button", { name: words.form.joining }).waitFor();
		},
	},
	{
		name: "a refusal",
		async reach(page) {
			const error = "Too many tries from your network. Please try again in 10 minutes.";
			await join(page, { status: 429, json: { error } });
			await page.getByText(error).waitFor();
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
		name: "typing",
		async reach(page) {
			await page.goto("/");
			await ready(page);
			await email(page).pressSequentially("ada@exam");
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
	notFound,
	answered("joined", ["ada@example.com"]),
	answered("a refusal", ["ada"]),
	answered("a duplicate", ["grace@example.com", "grace@example.com"]),
	...letterPageNames.filter((name) => !letterPagesOfEveryRun.includes(name)).map(behindLink),
];
