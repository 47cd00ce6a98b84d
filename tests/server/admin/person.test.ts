import { describe, expect, it, onTestFinished } from "vitest";
import { brand } from "#brand";
import { createActs } from "../../../src/server/admin/acts/acts.ts";
import { allOfAudit, noteInAudit } from "../../../src/server/registrations/audit.ts";
import { readSettings } from "../../../src/server/settings.ts";
import { inviteOne } from "../../../src/server/waves/invite-one.ts";
import { change, emailsOf, given, peopleOf, remove } from "../../given/given.ts";
import { kind } from "../../given/kind.ts";
import { openLetterDesk } from "../commands/letter-desk.ts";
import { type DatabaseKind, openServer, usePostgres } from "../registrations/databases.ts";
import { MAIL } from "../waves/wave-desk.ts";
import { openOffice, routesOf } from "./open-office.ts";

const cluster = usePostgres();

/** An office beside a desk: the verbs, and the parts of a server, work on the same list. */
async function openPerson(kind: DatabaseKind) {
	const desk = await openLetterDesk(kind, cluster());
	Object.assign(desk.env, MAIL);
	await desk.join("Ada@Example.com", "bob@example.com");
	const settings = readSettings(desk.env, desk.folder, "");
	const database = await openServer(desk.settings);
	onTestFinished(() => database.close());
	const { act } = createActs(settings, database);
	const routes = routesOf({ settings, act });
	const office = await openOffice(kind, cluster(), { database, routes });
	const session = await office.signIn();
	const get = async (path: string) => (await office.get(path, session)).text;
	const post = (path: string, fields: Record<string, string> = {}) => {
		office.later(1);
		return office.post(path, session, `${new URLSearchParams(fields)}`);
	};
	/** What was done in the office, the latest first, but for signing in. */
	const done = async () => {
		const all: string[] = [];
		for await (const page of allOfAudit(database.query)) {
			all.push(...page.map(({ action, details }) => `${action} ${details}`.trim()));
		}
		expect(all.join()).not.toContain("@");
		return all.filter((text) => !/sign/.test(text));
	};
	return { ...desk, database, office, get, post, done };
}

const ADA = "/person/ada%40example.com";
const BOB = "/person/bob%40example.com";

describe(`a person in the office on ${kind}`, () => {
	it("is found by any spelling, and shown with what is kept", async () => {
		const { get, post, send, confirm } = await openPerson(kind);
		expect((await post("/person", { email: " ADA@EXAMPLE.com " })).headers.location).toBe(ADA);
		await send();
		await confirm("ada@example.com");
		const text = await get(ADA);
		expect(text).toContain("<h1>Ada@Example.com</h1>");
		expect(text).toMatch(/<dt>Confirmed<\/dt><dd><time[^>]*>[^<]*<\/time>, by the button/);
		expect(text).toContain("its words are not kept");
		for (const email of ["none@example.com", "nobody", "a\0b@example.com", `"><b>`]) {
			const { status, text, headers } = await post("/person", { email });
			expect([303, 400], email).toContain(status);
			if (status === 303) expect(await get(headers.location!)).toContain("not on the list");
			else expect(text).not.toContain("<b>");
		}
		expect(await get("/person/a%00b")).toContain("no address");
	});

	it("is found by other spellings of the mailbox as well, each with a place of its own", async () => {
		const { get, join, post, run } = await openPerson(kind);
		await join("e.ve@gmail.com", "Eve+News@googlemail.com", "eve@example.com", "bob+1@example.com");
		const EVE = "/person/eve%40gmail.com";
		expect((await post("/person", { email: "Eve@Gmail.com" })).headers.location).toBe(EVE);
		const links = async (path: string) =>
			[...(await get(path)).matchAll(/<li><a href="\/person\/([^"]+)">/g)].map(([, key]) =>
				decodeURIComponent(key!),
			);
		expect(await get(EVE)).toContain("this address is not on the list");
		expect(await links(EVE)).toEqual(["e.ve@gmail.com", "eve+news@googlemail.com"]);
		expect(await links("/person/e.ve%40gmail.com")).toEqual(["eve+news@googlemail.com"]);
		expect(await links(BOB)).toEqual(["bob+1@example.com"]);
		expect(await links(ADA)).toEqual([]);
		expect((await run("find eve@gmail.com")).stdout).toContain(
			"On the waitlist, with the same mailbox: e.ve@gmail.com\n",
		);
	});

	it("has letters held and sent again as by the verbs, each noted", async () => {
		const { get, post, done, letters, run, tell, take } = await openPerson(kind);
		expect((await post(`${BOB}/hold`)).headers.location).toBe(`${BOB}?did=hold`);
		expect(await letters()).toContain("bob@example.com waiting held");
		expect(await get(`${BOB}?did=hold`)).toContain("Their letters are held.");
		expect((await post(`${BOB}/hold`)).headers.location).toBe(`${BOB}?did=nothing`);
		await post(`${BOB}/send`);
		expect(await letters()).toContain("bob@example.com waiting");
		const taken = await take();
		await tell(...taken.map(({ id }) => ({ id, state: "unknown" as const, code: "" })));
		expect(await get(BOB)).toContain("nobody knows whether it arrived");
		await post(`${BOB}/send`);
		expect(await letters()).toContain("bob@example.com waiting");
		expect(await done()).toEqual(["letter sent again", "letter released", "letters held"]);
		// The verb finds nothing left to do.
		expect((await run("retry bob@example.com")).stdout).toContain("letters sent again: 0");
	});

	it("is flagged and unflagged as by the verb, and invited by no wave meanwhile", async () => {
		const { get, post, done, confirm, json, send } = await openPerson(kind);
		await send();
		await confirm("bob@example.com");
		expect((await post(`${BOB}/flag`)).headers.location).toBe(`${BOB}?did=flag`);
		const text = await get(`${BOB}?did=flag`);
		expect(text).toContain("They are flagged: no wave writes to them.");
		expect(text).toContain("by hand: you flagged them");
		expect(text).not.toContain("/invite");
		expect(await json("invite 5 --wave beta-1 --dry-run")).toMatchObject({ flagged: 1 });
		expect(await get("/list?mark=operator")).toContain("bob@example.com");
		expect((await json("flag --remove bob@example.com")).unflagged).toBe(1);
		await post(`${BOB}/flag`);
		expect((await post(`${BOB}/unflag`)).headers.location).toBe(`${BOB}?did=unflag`);
		expect(await get(BOB)).toContain("/invite");
		expect(await done()).toEqual(["flag removed", "person flagged", "person flagged"]);
	});

	it("is unsubscribed once asked again, as by the verb, and the page says by whom", async () => {
		const { get, post, done, left, send } = await openPerson(kind);
		expect(await get(BOB)).toContain("Unsubscribe…");
		expect(await get(`${BOB}/unsubscribe`)).toContain("Unsubscribe them?");
		expect(await left()).toEqual([]);
		expect((await post(`${BOB}/unsubscribe`)).headers.location).toBe(`${BOB}?did=unsubscribe`);
		expect(await left()).toEqual(["bob@example.com"]);
		expect(await send()).toEqual(["Ada@Example.com"]);
		const text = await get(`${BOB}?did=unsubscribe`);
		expect(text).toContain("They are unsubscribed.");
		expect(text).toMatch(/<dt>Left<\/dt><dd><time[^>]*>[^<]*<\/time>, on request, by us/);
		expect(text).not.toContain("Unsubscribe…");
		expect((await post(`${BOB}/unsubscribe`)).headers.location).toBe(`${BOB}?did=nothing`);
		expect(await done()).toEqual(["person unsubscribed"]);
	});

	it("is erased once asked again, with a receipt that the command knows", async () => {
		const { get, post, done, json, run } = await openPerson(kind);
		expect(await get(`${BOB}/erase`)).toContain("Erase for good?");
		expect((await post(`${BOB}/erase`, { reason: "bob@example.com" })).status).toBe(400);
		expect((await run("find bob@example.com")).code).toBe(0);
		const { text } = await post(`${BOB}/erase`, { reason: "a <b>wish</b>" });
		expect(text).toContain("erased: bob@example.com, from the waitlist");
		expect(text).toContain("reason: a &lt;b&gt;wish");
		const [, proof] = /proof: {2}([\da-f]{64})/.exec(text)!;
		const found = JSON.parse((await run("find bob@example.com --json")).stdout);
		expect(found.registration).toBeUndefined();
		expect(found.erasures).toMatchObject([{ reason: "a <b>wish</b>" }]);
		expect(proof).toBeTruthy();
		expect(await get(BOB)).toMatch(/Nothing is kept.*Erased on /s);
		expect((await post(`${BOB}/erase`, { reason: "again" })).text).toContain("Nothing is kept");
		expect(await done()).toEqual(["person erased"]);
		expect((await json("stats")).total).toBe(1);
	});

	it("is shown with the mark of an import, and as not reached once they unsubscribed or bounced", async () => {
		const { get, database, leave } = await openPerson(kind);
		await change(database, "people", { flag: "constructor" });
		expect(await get(ADA)).toContain("<dt>Marked</dt><dd>constructor</dd>");
		await leave("bob@example.com");
		expect(await get(BOB)).toContain("they left, and only they can come back");
		await given.person(database, {
			key: "ada@example.com",
			bounced: true,
			bounceReason: "550 <5.1.1>",
		});
		const text = await get(ADA);
		expect(text).toContain("their address bounced");
		expect(text).toContain("550 &lt;5.1.1&gt;");
		expect(text).not.toContain("/invite");
	});

	it("in a burst is let out of it and asked to confirm, and the note says which of both was done", async () => {
		const { database, get, post, done, letters } = await openPerson(kind);
		// Nobody has written to Bob. Ada has had her email.
		await change(database, "people", { flag: "burst" });
		await remove(database, "emails", { to: "bob@example.com" });
		expect(await get(BOB)).toContain("Let them out of the burst");
		expect((await post(`${BOB}/send`)).headers.location).toBe(`${BOB}?did=send`);
		expect(await letters()).toContain("bob@example.com waiting");
		expect((await post(`${ADA}/send`)).headers.location).toBe(`${ADA}?did=unmark`);
		expect(await get(`${ADA}?did=unmark`)).toContain("Their mark is gone.");
		expect((await post(`${ADA}/send`)).headers.location).toBe(`${ADA}?did=no-letter`);
		// As a second click would read it.
		expect(await get(`${ADA}?did=no-letter`)).toContain("A letter goes out");
		await change(database, "emails", { state: "accepted" }, { to: "ada@example.com" });
		expect(await get(`${ADA}?did=no-letter`)).toContain("Nothing goes out");
		expect((await peopleOf(database)).map(({ flag }) => flag)).toEqual(["", ""]);
		expect(await done()).toEqual(["mark of a burst removed", "letter released"]);
		expect(await get(BOB)).toContain('<a href="/list" aria-current="page">');
	});

	it("is invited by no letter that would not say who writes", async () => {
		const { database, post, done } = await openPerson(kind);
		const { status, text } = await post(`${ADA}/invite`, { wave: "vip", unconfirmed: "yes" });
		// The brand of the template has no imprint.
		expect([status, await emailsOf(database, { kind: "invitation" })]).toEqual([409, []]);
		expect(text).toContain("would not say who writes");
		expect((await post(`${ADA}/invite`, { wave: "no name" })).status).toBe(400);
		expect(await done()).toEqual([]);
	});

	it("is invited once, by a wave that grows by one, with a note", async () => {
		const { inDatabase, done, run } = await openPerson(kind);
		const facts = { ...brand, postalAddress: "1 Comet Way", imprint: ["HRB 1"] };
		const invite = (key: string, unconfirmed = true, wave = "vip") =>
			inDatabase((database) => {
				const note = noteInAudit({ session: "0badcafe", action: "person invited" }, new Date());
				const asked = { key, wave, unconfirmed };
				return inviteOne(database, asked, new Date(), [note], facts);
			});
		expect(await invite("ada@example.com", false)).toBe(false);
		expect(await invite("ada@example.com")).toBe(true);
		expect(await invite("ada@example.com", true, "other")).toBe(false);
		expect(await invite("bob@example.com")).toBe(true);
		expect(await done()).toEqual(["person invited", "person invited"]);
		const { stdout } = await run("waves vip --json");
		expect(JSON.parse(stdout).waves).toMatchObject([{ size: 2, letters: { waiting: 2 } }]);
	});
});
