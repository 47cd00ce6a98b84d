/*
 * The office in real browsers, on the built server: without script, by keyboard, and for axe.
 */
import { expect, test } from "vitest";
import { freePort } from "../../../../bench/harness/built-site.ts";
import { runCommand } from "../../../server/operator/desk.ts";
import { postEmail, startServer } from "../../../server-process.ts";
import { temporaryFolder } from "../../../temporary.ts";
import { heading, openLookingTab, openTab, signIn } from "./rooms.ts";

const person = "/person/ada%40example.com";
const rooms = ["/", "/list", person, `${person}/erase`, "/audit", "/sessions"];
/** A server with an office and a person on its list. */
async function openOffice() {
	const folder = await temporaryFolder();
	const env = { WAITLIST_OFFICE_PORT: `${await freePort()}` };
	const server = await startServer({ folder, env });
	await postEmail(server.url, "ada@example.com");
	const link = async () => {
		const { stdout } = await runCommand(folder, ["office", "--json"], { env });
		return (JSON.parse(stdout) as { link: string }).link;
	};
	return { link, url: `http://127.0.0.1:${env.WAITLIST_OFFICE_PORT}` };
}

test("she signs in by a link, goes through the rooms by keyboard, and signs out, without script", async () => {
	const { link, url } = await openOffice();
	const page = await openTab({ javaScriptEnabled: false });
	await page.goto(url);
	expect(await heading(page)).toBe("Sign in");
	const used = await link();
	await signIn(page, used);
	expect(page.url()).toBe(`${url}/`);
	for (const room of ["List", "Audit", "Sessions", "Today"]) {
		await page.getByRole("link", { name: room, exact: true }).focus();
		await page.keyboard.press("Enter");
		await expect.poll(() => heading(page)).toBe(room);
		expect(await page.locator("[aria-current=page]").textContent()).toBe(room);
	}
	await page.keyboard.press("Tab");
	expect(await page.locator(":focus-visible").textContent()).toBe("Skip to the page");
	const other = await openTab({ javaScriptEnabled: false });
	await other.goto(used);
	expect(await heading(other)).toBe("This link is used up");
	await page.getByRole("button", { name: "Sign out" }).click();
	await expect.poll(() => heading(page)).toBe("Sign in");
	await page.goBack();
	await page.reload();
	expect(await heading(page)).toBe("Sign in");
});

test("she finds a person, erases them after being asked once more, and gets a receipt, without script", {
	tags: "slow",
}, async () => {
	const { link, url } = await openOffice();
	const page = await openTab({ javaScriptEnabled: false });
	await signIn(page, await link());
	await page.goto(`${url}/list?source=nobody`);
	expect(await page.locator(".nothing-said").textContent()).toBe("Nobody fits this filter.");
	await page.getByRole("link", { name: "Clear" }).click();
	await page.getByLabel("State").selectOption("not confirmed");
	await page.getByRole("button", { name: "Show" }).click();
	expect(await page.locator("tbody th").allTextContents()).toEqual(["ada@example.com"]);
	await page.goto(url);
	await page.getByLabel("Find a person").fill("ADA@Example.com");
	await page.getByRole("button", { name: "Find" }).click();
	await expect.poll(() => heading(page)).toBe("ada@example.com");
	await page.getByRole("link", { name: "Erase…" }).click();
	await expect.poll(() => heading(page)).toBe("Erase for good?");
	await page.getByRole("button", { name: "Erase" }).click();
	await expect.poll(() => heading(page)).toBe("Erased");
	expect(await page.locator(".receipt").textContent()).toMatch(
		/erased: ada@example.com[\s\S]*proof: {2}[\da-f]{64}/,
	);
	await page.goto(`${url}/list`);
	expect(await page.locator(".nothing-said").textContent()).toBe("Nobody has joined yet.");
	await page.goto(`${url}/audit`);
	expect(await page.locator("tbody th").first().textContent()).toBe("person erased");
});

test.each(["dark"] as const)(
	"axe finds nothing in any room, and every control is large enough for a thumb, in the %s",
	async (colorScheme) => {
		const { link, url } = await openOffice();
		const { page, look } = await openLookingTab(colorScheme);
		await page.goto(url);
		await look("outside");
		await page.goto(await link());
		await look("link");
		await signIn(page, await link());
		for (const room of rooms) {
			await page.goto(url + room);
			await look(room === "/" ? "today" : room.replace("ada%40example.com", "").replace(/\W/g, ""));
		}
	},
);

test("on paper a room is black on white, without its controls", { tags: "slow" }, async () => {
	const { link, url } = await openOffice();
	const page = await openTab({ colorScheme: "dark" });
	await signIn(page, await link());
	await page.goto(`${url}/sessions`);
	await page.emulateMedia({ media: "print" });
	for (const part of [".masthead", ".actions", ".act-cell button", ".light", ".foot"]) {
		expect(await page.locator(part).first().isVisible(), part).toBe(false);
	}
	const inks = await page.evaluate(() =>
		[...document.querySelectorAll("h1, .lead, td, th")].map((it) => getComputedStyle(it).color),
	);
	expect(new Set(inks)).toEqual(new Set(["rgb(0, 0, 0)"]));
	expect(
		await page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor),
	).toBe("rgb(255, 255, 255)");
});
