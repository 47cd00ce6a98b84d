import type { Browser, Page } from "playwright-core";
import { beforeAll, expect, onTestFinished, test } from "vitest";
import * as ours from "#brand";
import { linkPages } from "#words";
import { readLinkPages } from "../../../../src/server/mail/links/link-routes.ts";
import { startServer } from "../../../server-process.ts";
import { importReplacing, sharedChromium } from "../../../shared.ts";
import { temporaryFolder } from "../../../temporary.ts";

const code = "7G2K-M0QX-1F9D-W8ZR";
const signUp = "https://app.orbit.example/sign-up?from=email";
const invitation = "https://orbit.example/invitation";
interface Rendered {
	html: string;
	said: (typeof linkPages)["invitation"];
	withoutCode: string;
}

let browser: Browser;
let withSignUp: Rendered;
let withoutSignUp: Rendered;

beforeAll(async () => {
	withSignUp = await render(signUp);
	withoutSignUp = await render("");
	browser = await sharedChromium();
});

async function render(signUp: string): Promise<Rendered> {
	const built = (await readLinkPages("dist/link-pages"))(200, "invitation").body;
	const [, styles = ""] = /<style>(.*?)<\/style>/s.exec(built) ?? [];
	const [, url = "", integrity = ""] = /<script [^>]*src="([^"]+)" integrity="([^"]+)"/.exec(
		built,
	)!;
	const fonts = [...built.matchAll(/href="([^"]+\.woff2)"/g)].map(([, url]) => ({ url: url! }));
	const another = { ...ours, brand: { ...ours.brand, signUp } };
	const { renderLinkPages, linkPages } = await importReplacing("#brand", another, async () => ({
		...(await import("../../../../src/site/prerender/prerender.tsx")),
		...(await import("#words")),
	}));
	const assets = { styles, bootUrl: "", mainUrl: "", fonts };
	const pages = await renderLinkPages(assets, { invitation: { url, integrity } });
	const { content } = pages.find(({ file }) => file === "link-pages/invitation.html")!;
	const said = linkPages.invitation;
	return { html: content, said, withoutCode: said.withoutCode };
}

interface Options {
	named?: boolean;
	script?: boolean;
}

async function openTab({ named = true, script = true }: Options = {}) {
	const context = await browser.newContext({
		javaScriptEnabled: script,
		permissions: ["clipboard-read", "clipboard-write"],
	});
	onTestFinished(() => context.close());
	const page = await context.newPage();
	const problems: string[] = [];
	page.on("console", (message) => problems.push(message.text()));
	page.on("pageerror", ({ message }) => problems.push(message));
	const reply = (await readLinkPages("dist/link-pages"))(200, "invitation");
	const body = (named ? withSignUp : withoutSignUp).html;
	await page.route("**", (route, request) =>
		request.isNavigationRequest()
			? route.fulfill({ ...reply, body })
			: route.fulfill({ path: `dist/site${new URL(request.url()).pathname}` }),
	);
	return { page, problems };
}

const words = async (page: Page) =>
	(await page.locator("main :is(h1, p, a, button):visible").allTextContents()).join(" ");
const link = (page: Page) => page.getByRole("link", { name: linkPages.invitation.signUp });

test("the built server's page shows the code, which appears in no request and no log line", async () => {
	const env = { WAITLIST_API_KEY: "x".repeat(32) };
	const server = await startServer({ folder: await temporaryFolder(), env });
	const page = await browser.newPage();
	onTestFinished(() => page.close());
	const seen: string[] = [];
	page.on("request", (request) => seen.push(request.url(), JSON.stringify(request.headers())));
	page.on("console", (message) => seen.push(message.text()));
	page.on("pageerror", ({ message }) => seen.push(message));
	await page.goto(`${new URL("/invitation", server.url)}#${code}`);
	await page.getByText(code).waitFor();
	// At least the page, its script and its icon have a line each for URL and headers.
	expect(seen.length).toBeGreaterThanOrEqual(6);
	expect(seen.join("\n")).not.toContain(code);
	expect(seen.filter((line) => !/^(http|\{)/.test(line))).toEqual([]);
	await expect.poll(() => server.logged("request").length).toBeGreaterThan(1);
	expect(server.logged("request").map(({ route }) => route)).toContain("/invitation");
	expect(server.output()).not.toContain(code);
});

test("the page copies the code, and passes it to the sign-up page", async () => {
	const { page, problems } = await openTab();
	await page.goto(`${invitation}#${code}`);
	await page.getByText(code).waitFor();
	expect(await words(page)).not.toContain(withSignUp.withoutCode);
	expect(await link(page).getAttribute("href")).toBe(`${signUp}#code=${code}`);

	await page.getByRole("button", { name: linkPages.invitation.copy }).click();
	await page.getByRole("status").getByText(linkPages.invitation.copied).waitFor();
	// The button keeps its label after copying.
	expect(await page.getByRole("button", { name: linkPages.invitation.copy }).count()).toBe(1);
	expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(code);

	// Another email's link in the same tab, with its code spelled differently.
	await page.goto(`${invitation}#0123-4567-89ab-cdef>.`);
	await page.getByText("0123-4567-89AB-CDEF").waitFor();
	expect(await page.getByRole("status").textContent()).toBe("");
	expect(await link(page).getAttribute("href")).toBe(`${signUp}#code=0123-4567-89AB-CDEF`);

	// Without clipboard access the code is selected.
	await page.evaluate(() => {
		navigator.clipboard.writeText = () => Promise.reject(new Error("denied"));
	});
	await page.getByRole("button", { name: linkPages.invitation.copy }).click();
	await page.getByRole("status").getByText(linkPages.invitation.marked).waitFor();
	expect(await page.evaluate(() => String(getSelection()))).toBe("0123-4567-89AB-CDEF");
	expect(problems).toEqual([]);
});

test("without a code or script, the page refers to the email and links to sign-up", async () => {
	const { heading, words: meaning } = withSignUp.said;
	const plain = `${heading} ${meaning} ${withSignUp.withoutCode} ${linkPages.invitation.signUp}`;
	for (const [fragment, script] of [
		["", true],
		[`#${code}0`, true],
		[`#${code}`, false],
	] as const) {
		const { page, problems } = await openTab({ script });
		await page.goto(`${invitation}${fragment}`);
		expect(await words(page), fragment).toBe(plain);
		expect(await link(page).getAttribute("href"), fragment).toBe(signUp);
		expect(problems).toEqual([]);
	}
});

test("without a sign-up URL, the page says that it opens soon", async () => {
	const { page } = await openTab({ named: false });
	await page.goto(`${invitation}#${code}`);
	await page.getByText(code).waitFor();
	expect(await words(page)).not.toContain(withoutSignUp.withoutCode);
	expect(await words(page)).toContain(withoutSignUp.said.words);
	expect(withoutSignUp.said.words).not.toBe(withSignUp.said.words);
	expect(await page.locator("main a").count()).toBe(0);
});
