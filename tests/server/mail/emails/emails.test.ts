import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { NEW_LINK_PATH } from "#shared/links.ts";
import { parseEmail } from "../../../../bench/harness/mail-server.ts";
import { openDatabase } from "../../../../src/server/database/open-database.ts";
import { createEmailLinks } from "../../../../src/server/mail/links/links.ts";
import { readPeople } from "../../../given/given.ts";
import { kind } from "../../../given/kind.ts";
import { postJoin, startServer } from "../../../server-process.ts";
import { TEST_SECRET } from "../../commands/command-setup.ts";
import { createTestDatabase, type DatabaseKind } from "../../registrations/databases.ts";
import { openMailSetup } from "../../waves/mail-setup.ts";

const soon = { interval: 20 };

async function open(kind: DatabaseKind = "SQLite") {
	const setup = await openMailSetup(kind);
	const server = await setup.start();
	const ask = (path: string, request?: RequestInit) => fetch(new URL(path, server.url), request);
	return {
		...setup,
		ask,
		server,
		person: async () => (await readPeople(setup))[0],
		joinAndRead: (email: string) => setup.joinAndRead(server.url, email),
	};
}

const form = (fields: Record<string, string>): RequestInit => ({
	method: "POST",
	body: new URLSearchParams(fields),
});
const POST = { method: "POST" };

describe(`emails on ${kind}`, () => {
	it("confirm people who press the button, not those who only open the link", async () => {
		const { ask, joinAndRead, person, server } = await open(kind);
		const { confirm, unsubscribe } = await joinAndRead("ada@example.com");
		for (const method of ["HEAD", "GET", "GET"]) {
			const page = await ask(confirm, { method });
			expect(page.status).toBe(200);
		}
		expect(await person()).toMatchObject({ confirmed: "", confirmedBy: "" });
		expect(await (await ask(confirm, POST)).text()).toContain("You're all set");
		const confirmed = await person();
		expect(confirmed).toMatchObject({ confirmedBy: "button", unsubscribed: "" });
		expect(Date.now() - Date.parse(confirmed!.confirmed)).toBeLessThan(60_000);
		expect((await ask(confirm, POST)).status).toBe(200);
		expect(await person()).toEqual(confirmed);
		await ask(unsubscribe, POST);
		expect((await postJoin(server.url, "ada@example.com")).status).toBe(409);
		expect((await person())!.unsubscribed).not.toBe("");
		await ask(confirm, POST);
		expect((await person())!.unsubscribed).toBe("");
	});

	it("stop after a mail app's POST, from anywhere and without a cookie", async () => {
		const { ask, joinAndRead, kept, person, server } = await open(kind);
		const { unsubscribe } = await joinAndRead("ada@example.com");
		const { headers } = await parseEmail(kept[0]!);
		const header = (key: string) => headers.find((header) => header.key === key)?.value;
		expect(header("list-unsubscribe")).toBe(`<https://orbit.example${unsubscribe}>`);
		expect(header("list-unsubscribe-post")).toBe("List-Unsubscribe=One-Click");
		expect((await ask(unsubscribe)).status).toBe(200);
		expect(await person()).toMatchObject({ unsubscribed: "" });
		const elsewhere = { origin: "https://mail.example", "sec-fetch-site": "cross-site" };
		const oneClick = { ...form({ "List-Unsubscribe": "One-Click" }), headers: elsewhere };
		const answer = await ask(unsubscribe, { ...oneClick, redirect: "manual" });
		expect(answer.status).toBe(200);
		const unsubscribed = await person();
		expect(unsubscribed!.unsubscribed).not.toBe("");
		expect((await ask(unsubscribe, oneClick)).status).toBe(200);
		expect(await person()).toEqual(unsubscribed);
		expect((await postJoin(server.url, "bob@example.com", elsewhere)).status).toBe(403);
	});

	it("delete a person, add a suppression entry, and invalidate the links", async () => {
		const { ask, folder, joinAndRead, person, server } = await open(kind);
		const { confirm, unsubscribe } = await joinAndRead("ada@example.com");
		expect(await (await ask(`${unsubscribe}?action=delete`)).text()).toContain(
			"Delete permanently",
		);
		expect(await person()).toBeDefined();
		expect(await (await ask(unsubscribe, form({ action: "delete" }))).text()).toContain(
			"Your data has been deleted",
		);
		expect(await person()).toBeUndefined();
		expect(existsSync(`${folder}/erasures`)).toBe(true);
		for (const path of [confirm, unsubscribe]) expect((await ask(path)).status).toBe(404);
		expect((await postJoin(server.url, "ada@example.com")).status).toBe(201);
	});
});

describe("a link in an email", () => {
	it("shows the same page if altered, expired or of a deleted person", async () => {
		const { ask, joinAndRead } = await open();
		const { confirm, unsubscribe } = await joinAndRead("ada@example.com");
		const last = confirm.at(-1) === "0" ? "1" : "0";
		const altered = [
			...[`${confirm.slice(0, -1)}${last}`, "/confirm/x", "/unsubscribe/x", `${unsubscribe}A`],
		];
		const links = createEmailLinks(TEST_SECRET, { origin: "" });
		const { id } = links.readUnsubscribe(unsubscribe.slice("/unsubscribe/".length));
		const forged = createEmailLinks(`${TEST_SECRET}0`, { origin: "" });
		altered.push(forged.unsubscribeUrl(id), forged.confirmUrl(id, Date.now()));
		altered.push(confirm.replace("confirm", "unsubscribe"));
		altered.push(unsubscribe.replace("unsubscribe", "confirm"));
		const daysAgo = (days: number) => links.confirmUrl(id, Date.now() - days * 86_400_000);
		expect((await ask(daysAgo(6.9))).status).toBe(200);
		// Mail programs may include the punctuation after a link.
		for (const end of [".", ">", ")", "/", ").", "%3E", "%22"]) {
			for (const path of [confirm, unsubscribe]) {
				expect([path + end, (await ask(path + end)).status]).toEqual([path + end, 200]);
			}
		}
		altered.push(daysAgo(7.1), links.unsubscribeUrl("0".repeat(32)));
		const pages = new Set<string>();
		for (const path of altered) {
			for (const request of [undefined, POST]) {
				const answer = await ask(path, request);
				expect(answer.status).toBe(404);
				pages.add(await answer.text());
			}
		}
		expect(pages.size).toBe(1);
		expect([...pages][0]).toContain(`action="${NEW_LINK_PATH}"`);
	});

	it("never appears in the log, nor does an address", async () => {
		const { ask, joinAndRead, server } = await open();
		const { confirm, unsubscribe } = await joinAndRead("ada@example.com");
		for (const path of [
			...[confirm, unsubscribe, "/confirm/x@example.com", "/unsubscribe/y@example.com?z@z.de"],
		]) {
			await ask(path);
			await ask(path, POST);
		}
		await ask(NEW_LINK_PATH, form({ email: "ada@example.com" }));
		await expect.poll(() => server.logged("request").length, soon).toBe(10);
		const routes = server.logged("request").map(({ route }) => route);
		expect(new Set(routes)).toEqual(
			new Set(["/api/waitlist/register", "/confirm/*", "/unsubscribe/*", "/new-link"]),
		);
		expect(server.output()).not.toMatch(/ada@|@example|z@z|[\w-]{40}/);
	});

	it("is resent by a form, with the same response for everybody", async () => {
		const { ask, kept } = await open();
		const answers = new Set<string>();
		for (const email of ["ada@example.com", "nobody@example.com", "", "no address"]) {
			const answer = await ask(NEW_LINK_PATH, form({ email }));
			answers.add(`${answer.status} ${await answer.text()}`);
		}
		expect(answers.size).toBe(1);
		expect(kept).toEqual([]);
		for (const [headers, status] of [
			// Older browsers send only `Origin`.
			[{ origin: "null" }, 200],
			[{ origin: "null", "sec-fetch-site": "same-origin" }, 200],
			[{ origin: "null", "sec-fetch-site": "cross-site" }, 403],
			[{ origin: "https://mail.example" }, 403],
		] as const) {
			const sent = { ...form({ email: "ada@example.com" }), headers };
			expect((await ask(NEW_LINK_PATH, sent)).status).toBe(status);
		}
	});
});

it("unsubscribing does not wait for a backup, and SQLite overwrites deleted rows afterward", async () => {
	const { ask, joinAndRead, server, settings } = await open("SQLite");
	const ada = await joinAndRead("ada-to-be-erased@example.com");
	const bob = await joinAndRead("bob@example.com");
	const reader = await openDatabase(settings, { create: false });
	await reader.read(async (tx) => {
		await readPeople(tx);
		// An open read transaction blocks emptying the journal. The server retries for 30 s.
		const signal = AbortSignal.timeout(15_000);
		expect((await ask(ada.unsubscribe, { ...form({ action: "delete" }), signal })).status).toBe(
			200,
		);
		expect((await ask(bob.unsubscribe, { ...POST, signal })).status).toBe(200);
	}, undefined);
	await reader.close();
	const bytes = async () =>
		Buffer.concat(await Promise.all(["", "-wal"].map((end) => readFile(`${server.file}${end}`))));
	await expect.poll(async () => (await bytes()).includes("ada-to-be-erased"), soon).toBe(false);
	expect((await bytes()).includes("bob@example.com")).toBe(true);
});

it("a server without mail settings has no link pages", async () => {
	const { folder } = await createTestDatabase("SQLite");
	const server = await startServer({ folder });
	for (const path of ["/confirm/x", "/unsubscribe/x", NEW_LINK_PATH]) {
		expect((await fetch(new URL(path, server.url))).status).toBe(404);
	}
	expect((await postJoin(server.url, "ada@example.com")).status).toBe(201);
	expect(server.logged("email on")).toEqual([]);
});
