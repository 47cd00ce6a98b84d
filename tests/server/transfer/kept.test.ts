import { join } from "node:path";
import { expect, it } from "vitest";
import { changeRows, given, readAllTables } from "../../given/given.ts";
import { kind } from "../../given/kind.ts";
import { type AnyDatabase, addRows, type RowInput, type TableName } from "../../given/rows.ts";
import { parsePeople, runCommand, TEST_SECRET } from "../commands/command-setup.ts";
import { openOtherDatabase } from "../commands/email-setup.ts";
import type { DatabaseKind } from "../registrations/databases.ts";
import { openWaveSetup } from "../waves/wave-setup.ts";

const TABLES_NOT_COPIED: readonly string[] = ["events"];

/** Notes that are not copied to another database. */
const ONE_DATABASE = ["admin", "digest", "last backup", "webhook"];

type Row = Record<string, string | number>;

async function keptIn(source: AnyDatabase) {
	const rows: Record<string, Row[]> = {};
	for (const [table, found] of Object.entries(await readAllTables(source))) {
		if (TABLES_NOT_COPIED.includes(table)) continue;
		rows[table] = found
			.filter(({ name }) => !ONE_DATABASE.includes(`${name}`))
			// PostgreSQL's driver returns 64-bit integers as strings.
			.map((row) => Object.fromEntries(Object.entries(row).map(([name, is]) => [name, `${is}`])))
			.sort((one, other) => (placeOf(one) < placeOf(other) ? -1 : 1));
	}
	return rows;
}

/** The sort key is unique, because no person has two emails. */
const placeOf = (row: Row) => String(row.to ?? row.key ?? row.name ?? JSON.stringify(row));

const day = (n: number) => `2026-01-${String(n).padStart(2, "0")}T10:00:00.000Z`;
const invitation = { wave: "open", asks: 2, attempts: 3, version: "v1" };
const ended = { ...invitation, ended: day(8), expires: day(22) };

const emails: Record<string, RowInput<"emails">> = {
	accepted: { ...ended, state: "accepted", code: "250", queue: "unconfirmed" },
	asked: { state: "waiting" },
	canceled: { ...invitation, wave: "canceled", state: "refused", reason: "canceled" },
	deferred: { ...invitation, state: "deferred", code: "550 5.7.1" },
	later: { ...invitation, wave: "later", state: "waiting" },
	paused: { ...invitation, wave: "paused", state: "waiting", held: 1 },
	redeemed: { ...ended, state: "accepted", code: "250", redeemed: day(9) },
	refused: { ...ended, state: "refused", code: "552 5.2.2" },
	sending: { ...invitation, state: "sending", leaseUntil: day(7) },
	unknown: { ...ended, state: "unknown", code: "ECONNECTION" },
	waiting: { ...invitation, state: "waiting" },
};

const UNSENT = ["asked", "deferred", "later", "paused", "sending", "waiting"];

const keyOf = (name: string) => `${name}@example.com`;

async function openEmptySetup(kind: DatabaseKind) {
	const setup = await openWaveSetup(kind);
	Object.assign(setup.env, {
		WAITLIST_SECRET: TEST_SECRET,
		WAITLIST_SUPPRESSION_FILE: join(setup.folder, "erasures"),
	});
	return setup;
}

async function openFullSetup(kind: DatabaseKind) {
	const setup = await openEmptySetup(kind);
	const put = <K extends TableName>(kind: K, ...rows: RowInput<K>[]) => addRows(setup, kind, rows);
	const people = [...Object.keys(emails), "left", "bounced", "plain", "erased"];
	for (const [n, name] of people.entries()) {
		const joined = { email: `${name}@Example.com`, source: "fair", joined: day(1 + n) };
		const flag = name === "plain" ? "honeypot" : "";
		const confirmed = { confirmed: day(2), confirmedBy: "button", page: "cafe0123cafe" };
		const bounced = name === "bounced" && { bounced: day(9), bounceReason: "550 5.1.1" };
		const isConfirmed = !["plain", "erased", "asked"].includes(name);
		await put("people", { ...joined, flag, ...(isConfirmed && confirmed), ...bounced });
	}
	for (const [name, email] of Object.entries(emails))
		await put("emails", { to: keyOf(name), ...email });
	const text = { subject: "Come in", message: `o'h"a\\ra;\t🦄\u0301{}$1%s\u2028` };
	for (const state of ["open", "paused", "canceled"]) {
		await put("waves", { name: state, state, size: 9, ...text });
	}
	await put("waves", { name: "later", starts: "2099-01-01T00:00:00.000Z", ...text });
	await put("visits", { day: "2026-01-10", visits: 40 }, { day: "2026-01-11", visits: 41 });
	const wording = { kind: "form", said: "Join us", leadsTo: "v2 v3", kept: day(1) };
	await put("wordings", { version: "cafe0123cafe", ...wording });
	await given.outbox(setup, { freeAt: 2 ** 51 + 0.5, pauses: 3, cause: "refused", code: "550" });
	const done = { at: day(3), session: "0badcafe", action: "emails held", details: "5" };
	await put("audit", { id: "a", ...done }, { id: "b", ...done });
	await given.gap(setup, { from: day(11), until: day(12) });
	for (const name of ONE_DATABASE) await put("notes", { name, value: "{}" });
	await setup.json(`delete ${keyOf("erased")}`);
	await setup.unsubscribe(keyOf("left"));
	await changeRows(setup, "people", { mailbox: "ada@example.com" }, { key: keyOf("left") });
	return setup;
}

const ISO = expect.stringMatching(/^20\d\d-.*Z$/);

const otherKind = kind === "SQLite" ? "PostgreSQL" : "SQLite";

it(`a backup and a planned restore on ${kind} keep a row of each kind, and other restores make unsent emails unknown`, async () => {
	const setup = await openFullSetup(kind);
	const rows = await keptIn(setup);
	for (const [table, [row, ...others]] of Object.entries(rows)) {
		for (const column of Object.keys(row ?? {})) {
			const all = [row, ...others].map((one) => one![column]).join("");
			expect(all, `a value in ${table}.${column} that is no default`).toMatch(/[^0]/);
		}
		expect(row, table).toBeDefined();
	}
	const file = join(setup.folder, "list.db");
	await setup.json(`backup ${file}`);
	expect(await keptIn({ file })).toEqual(rows);
	const all = await readAllTables({ file });
	expect(TABLES_NOT_COPIED.flatMap((table) => all[table as TableName])).toEqual([]);
	expect(all.notes.map(({ name }) => name).sort()).toEqual(["gap", "key", "outbox"]);

	const planned = await openEmptySetup(otherKind);
	expect(await planned.restore(file, "--planned")).toMatchObject({ unknown: 0, deleted: 0 });
	expect(await keptIn(planned)).toEqual(rows);
	expect((await planned.run(`find ${keyOf("erased")}`)).stdout).toContain("Deleted on");

	const lost = await openEmptySetup(otherKind);
	expect(await lost.restore(file)).toMatchObject({
		unknown: UNSENT.length,
		gap: { from: day(11), until: ISO },
	});
	const assumed = { state: "unknown", reason: "assumed", held: "0", leaseUntil: "" };
	expect(await keptIn(lost)).toEqual({
		...rows,
		emails: rows.emails!.map((row) =>
			UNSENT.includes(`${row.to}`.split("@")[0]!)
				? { ...row, ...assumed, ended: ISO, expires: row.wave ? ISO : "", asks: "2" }
				: row,
		),
		notes: rows.notes!.map((row) =>
			row.name === "gap" ? { ...row, value: expect.any(String) } : row,
		),
	});
});

it(`a migration from ${kind} keeps a row of each kind`, async () => {
	const setup = await openFullSetup(kind);
	const { to, ...other } = await openOtherDatabase(setup, kind);
	await setup.migrate(to);
	expect(await keptIn(other)).toEqual(await keptIn(setup));
	const env = { ...setup.env, DATABASE_URL: to };
	const { stdout } = await runCommand(setup.folder, ["find", keyOf("erased")], { env });
	expect(stdout).toContain("Deleted on");
});

it(`an export from ${kind} and its import keep who was invited, confirmed, unsubscribed and bounced`, async () => {
	const setup = await openFullSetup(kind);
	const other = await openEmptySetup(kind);
	const exported = async ({ run }: typeof setup, format: string) =>
		(await run(`export --format ${format}`)).stdout;
	const people = async (from: typeof setup) => parsePeople(await exported(from, "jsonl"));
	const rows = (await people(setup)).map(
		(row): Record<string, unknown> =>
			// Emails may have been sent after the export, so their state is unknown.
			row.wave && !row.invitedAt && !row.unknownAt
				? { ...row, unknownAt: ISO, expiresAt: ISO }
				: row,
	);
	const withTime = (name: string) => rows.filter((row) => row[name]).length;
	expect(["wave", "invitedAt", "redeemedAt"].map(withTime)).toEqual([9, 2, 1]);
	expect(["confirmedAt", "unsubscribedAt", "bouncedAt"].map(withTime)).toEqual([12, 1, 1]);
	for (const format of ["csv", "jsonl"]) {
		await other.json(`import - --format ${format}`, await exported(setup, format));
		expect(await people(other)).toEqual(rows);
	}
	const found = await keptIn(other);
	expect(found).toMatchObject({
		suppressions: [{ reason: "unsubscribed by import" }],
		notes: expect.arrayContaining([expect.objectContaining({ name: "gap" })]),
		...{ visits: [], wordings: [] },
		waves: ["later", "open", "paused"].map((name) => ({ name, state: "open" })),
	});
	const states = found.emails!.map(({ state }) => state);
	expect(new Set(states)).toEqual(new Set(["accepted", "unknown"]));
});
