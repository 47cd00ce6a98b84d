import { describe, expect, it, onTestFinished } from "vitest";
import { openDatabase } from "../../../src/server/database/open-database.ts";
import { createTx, raw, sql } from "../../../src/server/database/sql.ts";
import { readEmailOverview } from "../../../src/server/mail/overview.ts";
import { readWaitlistNumbers } from "../../../src/server/numbers.ts";
import { latestDays } from "../../../src/server/time.ts";
import { given } from "../../given/given.ts";
import { kind } from "../../given/kind.ts";
import type { RowInput } from "../../given/rows.ts";
import { createTestDatabase, type DatabaseKind } from "../registrations/databases.ts";
import { MAIL_SETTINGS } from "../waves/wave-setup.ts";
import { openSignedInAdmin, textWithoutMarkup, unescapeHtml } from "./open-admin.ts";

const NOON = new Date("2026-11-23T12:00:00.000Z");

const minutesAgo = (minutes: number) => new Date(NOON.getTime() - minutes * 60_000).toISOString();

const DAY = 24 * 60;

const person = (n: number, joined: string, more: RowInput<"people"> = {}): RowInput<"people"> => ({
	email: `visitor-${n}@example.com`,
	source: "fair",
	joined,
	...more,
});

describe(`the page Today on ${kind}`, () => {
	it("compares joins with the same time yesterday and a week ago", async () => {
		const { database, get } = await openSignedInAdmin(kind);
		const times = [
			...[1, 10, 70, 13 * 60, DAY + 1, DAY + 70, DAY - 30],
			...[2 * DAY - 60, 7 * DAY + 30, 8 * DAY],
		];
		await given.people(
			database,
			times.map((ago, n) => person(n, minutesAgo(ago))),
		);
		const words = textWithoutMarkup((await get("/")).text);
		expect(words).toContain(
			"On the waitlist 10 Joined today 3 Yesterday by 12:00 2 A week ago by 12:00 1",
		);
		expect(words).toContain("Day Joined Visits Nov 23 3 0 Nov 22 4 0");
		expect(words).toContain("Source Today All time fair 3 10");
	});

	it("renders an empty list, without mail", async () => {
		const { get } = await openSignedInAdmin(kind);
		const words = textWithoutMarkup((await get("/")).text);
		for (const said of [
			"On the waitlist 0 Joined today 0",
			"Visits – Joined 0 Confirmed 0 Invited – Redeemed –",
			"Needs attention No mail server is set up, so no email is sent. Last backup: none yet",
		]) {
			expect(words).toContain(said);
		}
		expect(words).not.toMatch(/NaN|Infinity|undefined|null/);
	});

	it("links to what needs attention, to the latest people and to each source", async () => {
		const { database, get } = await openSignedInAdmin(kind, { env: MAIL_SETTINGS });
		await given.people(database, [
			person(1, minutesAgo(1), { source: "a & b" }),
			person(2, minutesAgo(DAY), { source: "a & b", flag: "burst" }),
			person(3, minutesAgo(DAY), { source: "" }),
		]);
		await given.email(database, { to: "visitor-1@example.com", state: "unknown" });
		await given.email(database, { to: "visitor-3@example.com", state: "accepted" });
		const { text } = await get("/");
		const words = textWithoutMarkup(text);
		expect(words).toContain(
			"1 email may or may not have arrived. Review 1 person joined in a burst",
		);
		expect(words).toContain("visitor-1@example.com 11:59 visitor-3@example.com Nov 22, 12:00 ");
		expect(words).toContain("Confirmation emails: 1 sent, 1 delivery unknown.");
		const cards = text.slice(text.indexOf('id="needs"'));
		const links = cards.matchAll(/<a (?:class="act" )?href="([^"]+)">([^<]+)/g);
		const pages = [...links].map(([, path, name]) => [name, unescapeHtml(path!)]);
		expect(pages).toEqual([
			["Review", "/emails"],
			["See who", "/people?flag=burst"],
			["Joined", "/people"],
			["See all 3", "/people"],
			...[1, 3, 2].map((n) => [`visitor-${n}@example.com`, `/people/visitor-${n}%40example.com`]),
			["a &amp; b", "/people?source=a+%26+b"],
		]);
		for (const [name, path] of pages) expect((await get(path!)).status, name).toBe(200);
	});
});

const READS_ALL = {
	SQLite: /SCAN (?:registration|email)(?! USING (?:COVERING )?INDEX)/,
	PostgreSQL: /Seq Scan on (?:registration|email)/,
};

it.each<DatabaseKind>(["SQLite", "PostgreSQL"])(
	"every query of Today and Emails uses an index on %s",
	async (kind) => {
		const { settings } = await createTestDatabase(kind);
		const database = await openDatabase(settings, { create: true });
		onTestFinished(() => database.close());
		await given.wave(database);
		await given.email(database);
		// Makes PostgreSQL use indexes for small tables, too.
		if (kind === "PostgreSQL") await database.all(sql`SET enable_seqscan = off`);
		const explain = raw(kind === "SQLite" ? "EXPLAIN QUERY PLAN" : "EXPLAIN");
		const plans: string[] = [];
		const tx = createTx(async (statement) => {
			const plan = await database.all(sql`${explain} ${statement}`);
			const text = plan.map((row) => Object.values(row).join(" ")).join("\n");
			// Skips `SELECT … LIMIT 1`, which reads only one row.
			if (!/LIMIT 1$/.test(statement.text)) plans.push(text);
			return database.all(statement);
		});
		const days = latestDays(28, NOON);
		await readWaitlistNumbers(tx, { rates: undefined, now: NOON, days });
		await readEmailOverview(tx, undefined, new Date());
		expect(plans.length).toBe(24);
		for (const plan of plans) expect(plan).not.toMatch(READS_ALL[kind]);
	},
);
