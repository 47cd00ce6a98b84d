import { describe, expect, it } from "vitest";
import { brand } from "#brand";
import { auditStatement, readAudit } from "../../../src/server/registrations/audit.ts";
import { invitePerson } from "../../../src/server/waves/add-wave.ts";
import { changeRows, readEmails } from "../../given/given.ts";
import { kind } from "../../given/kind.ts";
import { openEmailSetup } from "../commands/email-setup.ts";
import type { DatabaseKind } from "../registrations/databases.ts";
import { MAIL_SETTINGS } from "../waves/wave-setup.ts";
import { openSignedInAdmin } from "./open-admin.ts";

async function openPerson(kind: DatabaseKind) {
	const setup = await openEmailSetup(kind);
	Object.assign(setup.env, MAIL_SETTINGS);
	await setup.join("Ada@Example.com", "bob@example.com");
	const admin = await openSignedInAdmin(kind, { setup });
	const { database } = admin;
	const get = async (path: string) => (await admin.get(path)).text;
	const done = async () => {
		const rows = await readAudit(database, undefined, 1000);
		const all = rows.map(({ action, details }) => `${action} ${details}`.trim());
		expect(all.join()).not.toContain("@");
		return all.filter((text) => !/sign/.test(text));
	};
	return { ...setup, database, admin, get, post: admin.post, done };
}

const ADA = "/people/ada%40example.com";
const BOB = "/people/bob%40example.com";

describe(`the page of a person on ${kind}`, () => {
	it("is found by any spelling, and shows what is stored", async () => {
		const { get, post, send, confirm } = await openPerson(kind);
		expect((await post("/people", { email: " ADA@EXAMPLE.com " })).headers.location).toBe(ADA);
		await send();
		await confirm("ada@example.com");
		const text = await get(ADA);
		expect(text).toContain("<h1>Ada@Example.com</h1>");
		expect(text).toMatch(/<dt>Confirmed<\/dt><dd>by the button on the page, 20/);
		expect(text).toContain("the wording was not stored");
		expect(text).toContain('<a href="/people" aria-current="page">');
		for (const email of ["none@example.com", "nobody", "a\0b@example.com", `"><b>`]) {
			const { status, text, headers } = await post("/people", { email });
			expect([303, 400, 409], email).toContain(status);
			if (status === 303) expect(await get(headers.location!)).toContain("not on the waitlist");
			else expect(text).not.toContain("<b>");
		}
		expect(await get("/people/a%00b")).toContain("not an address");
	});

	it("links other spellings of the mailbox", async () => {
		const { get, join, post, run } = await openPerson(kind);
		await join("e.ve@gmail.com", "Eve+News@googlemail.com", "eve@example.com", "bob+1@example.com");
		const EVE = "/people/eve%40gmail.com";
		expect((await post("/people", { email: "Eve@Gmail.com" })).headers.location).toBe(EVE);
		const links = async (path: string) =>
			[...(await get(path)).matchAll(/<li><a href="\/people\/([^"]+)">/g)].map(([, key]) =>
				decodeURIComponent(key!),
			);
		expect(await get(EVE)).toContain("This address is not on the waitlist");
		expect(await links(EVE)).toEqual(["e.ve@gmail.com", "eve+news@googlemail.com"]);
		expect(await links("/people/e.ve%40gmail.com")).toEqual(["eve+news@googlemail.com"]);
		expect(await links(ADA)).toEqual([]);
		expect((await run("find eve@gmail.com")).stdout).toContain("Same mailbox: e.ve@gmail.com\n");
	});

	it("blocks and unblocks as the command does, and waves skip blocked people", async () => {
		const { get, post, done, confirm, json, send } = await openPerson(kind);
		await send();
		await confirm("bob@example.com");
		expect((await post(`${BOB}/block`)).headers.location).toBe(`${BOB}?did=done`);
		const text = await get(`${BOB}?did=done`);
		expect(text).toContain("blocked by us: gets no email");
		expect(text).not.toContain("/invite");
		expect(await json("invite 5 --wave beta-1 --dry-run")).toMatchObject({ flagged: 1 });
		expect(await get("/people?flag=founder")).toContain("bob@example.com");
		expect((await post(`${BOB}/unblock`)).headers.location).toBe(`${BOB}?did=done`);
		expect(await get(BOB)).toContain("/invite");
		expect(await done()).toEqual(["person unblocked", "person blocked"]);
	});

	it("asks before it unsubscribes, and shows who did", async () => {
		const { get, post, done, left, send } = await openPerson(kind);
		expect(await get(`${BOB}/unsubscribe`)).toContain("Unsubscribe this person?");
		expect(await left()).toEqual([]);
		expect((await post(`${BOB}/unsubscribe`)).headers.location).toBe(`${BOB}?did=done`);
		expect(await left()).toEqual(["bob@example.com"]);
		expect(await send()).toEqual(["Ada@Example.com"]);
		const text = await get(`${BOB}?did=done`);
		expect(text).toContain("Done.");
		expect(text).toContain("Only they can undo that.");
		expect(text).toMatch(/<dt>Unsubscribed<\/dt><dd>on request, by us, 20/);
		expect(text).not.toContain("Unsubscribe…");
		expect((await post(`${BOB}/unsubscribe`)).headers.location).toBe(`${BOB}?did=nothing`);
		expect(await done()).toEqual(["person unsubscribed"]);
	});

	it("asks before it deletes, and shows a receipt that the command recognizes", async () => {
		const { get, post, done, json, run } = await openPerson(kind);
		expect(await get(`${BOB}/delete`)).toContain("Delete this person?");
		expect((await post(`${BOB}/delete`, { reason: "bob@example.com" })).status).toBe(409);
		expect((await run("find bob@example.com")).code).toBe(0);
		const { text } = await post(`${BOB}/delete`, { reason: "a <b>wish</b>" });
		expect(text).toContain(`deleted: bob@example.com, from the ${brand.product} waitlist`);
		expect(text).toContain("reason:  a &lt;b&gt;wish");
		expect(text).toMatch(/hash: {4}[\da-f]{64}/);
		const found = JSON.parse((await run("find bob@example.com --json")).stdout);
		expect(found.registration).toBeUndefined();
		expect(found.deletions).toMatchObject([{ reason: "a <b>wish</b>" }]);
		expect(await get(BOB)).toMatch(/not on the waitlist.*Deleted on /s);
		expect((await post(`${BOB}/delete`, { reason: "again" })).text).toContain("is not on the");
		expect(await done()).toEqual(["person deleted"]);
		expect((await json("stats")).total).toBe(1);
	});

	it("downloads all stored data as a text file", async () => {
		const { admin, send, confirm, database } = await openPerson(kind);
		await confirm("bob@example.com");
		await send();
		await confirm("ada@example.com");
		await changeRows(
			database,
			"people",
			{ source: "fair\nflag: none" },
			{ key: "ada@example.com" },
		);
		const { text, headers } = await admin.get(`${ADA}/data`);
		expect(headers).toMatchObject({
			"content-type": "text/plain; charset=utf-8",
			"content-disposition": 'attachment; filename="stored-data.txt"',
		});
		expect(text).toContain("Address: Ada@Example.com\nJoined: ");
		// A line break in the source must not start a new line of the export.
		expect(text).toContain("Source: fair\\u000aflag: none\n");
		expect(text).toMatch(/Confirmed: by the button on the page, 20\d\d-.* UTC\n/);
		expect(text).toMatch(/- confirmation, requested .* UTC: accepted by the mail server, /);
		expect(text).toContain("No IP address is stored.");
		const bob = await admin.get(`${BOB}/data`);
		expect(bob.text).toMatch(/- confirmation, requested .* UTC: not sent \(already confirmed\)/);
	});

	it("shares its audit trail with the commands", async () => {
		const { get, post, database, run } = await openPerson(kind);
		await post(`${ADA}/block`);
		for (const command of [
			...["block bob@example.com", "unblock bob@example.com", "resend bob@example.com"],
			...["unsubscribe bob@example.com", "delete bob@example.com", "pause", "resume"],
		]) {
			expect((await run(command)).code, command).toBeOneOf([0, 1]);
		}
		const all = await readAudit(database, undefined, 100);
		const by = all.filter(({ session }) => session === "command").map(({ action }) => action);
		expect(by.filter((action) => !/link/.test(action))).toEqual([
			...["emails resumed", "emails paused", "person deleted", "person unsubscribed"],
			...["person unblocked", "person blocked"],
		]);
		expect(await get("/activity")).toMatch(/command line<\/td>\s*<td[^>]*>person blocked/);
	});

	it("refuses to invite without naming the sender", async () => {
		const { database, post, done } = await openPerson(kind);
		const { status, text } = await post(`${ADA}/invite`, { wave: "vip", unconfirmed: "yes" });
		expect([status, await readEmails(database, { kind: "invitation" })]).toEqual([409, []]);
		expect(text).toContain("lack sender details");
		expect((await post(`${ADA}/invite`, { wave: "no name" })).status).toBe(409);
		expect(await done()).toEqual([]);
	});

	it("invites once, enlarging a wave by one, with an audit entry", async () => {
		const { inDatabase, done, run } = await openPerson(kind);
		const facts = { ...brand, postalAddress: "1 Comet Way", imprint: ["HRB 1"] };
		const invite = (key: string, unconfirmed = true, wave = "vip") =>
			inDatabase((database) => {
				const note = (action: string) => [
					auditStatement({ session: "0badcafe", action }, new Date()),
				];
				const sending = { database, now: new Date(), note };
				return invitePerson(sending, { key, wave, unconfirmed }, facts);
			});
		expect(await invite("ada@example.com", false)).toBe(false);
		expect(await invite("ada@example.com")).toBe(true);
		expect(await invite("ada@example.com", true, "other")).toBe(false);
		expect(await invite("bob@example.com")).toBe(true);
		expect(await done()).toEqual(["person invited", "person invited"]);
		const { stdout } = await run("waves vip --json");
		expect(JSON.parse(stdout).waves).toMatchObject([{ size: 2, emails: { waiting: 2 } }]);
	});
});
