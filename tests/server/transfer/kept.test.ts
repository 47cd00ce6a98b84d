import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { sqlite } from "../../../src/server/database/dialect.ts";
import { ASKED_MAILBOX, NOT_COPIED, tables } from "../../../src/server/database/schema.ts";
import { change, given } from "../../given/given.ts";
import { kind } from "../../given/kind.ts";
import { ERASURE_KEY, runCommand } from "../commands/desk.ts";
import { openOtherKind, writingIn } from "../commands/letter-desk.ts";
import { type DatabaseKind, usePostgres } from "../registrations/databases.ts";
import { openWaveDesk } from "../waves/wave-desk.ts";

const cluster = usePostgres();

/** Everything else, so that a new table is either copied or named above. */
const KEPT = [...tables(sqlite).matchAll(/CREATE TABLE (\w+)/g)]
	.map(([, name]) => name!)
	.filter((name) => !NOT_COPIED.includes(name));

/** Notes that belong to one database. */
const ONE_DATABASE = ["admin", "digest", "last backup"];

type Row = Record<string, unknown>;
type Rows = Record<string, Row[]>;
type Read = ReturnType<typeof writingIn>["read"];

/** Every row of every table that is kept, by its table. */
async function readAll(read: Read): Promise<Rows> {
	const rows: Rows = {};
	for (const table of KEPT) {
		const found = await read<Row>(`SELECT * FROM ${table}`);
		rows[table] = found
			// PostgreSQL's driver gives 64 bits as text.
			.map((row) => Object.fromEntries(Object.entries(row).map(([name, is]) => [name, `${is}`])))
			// Where a copy erases somebody, it leaves a proof of its own.
			.filter(({ reason }) => reason !== "erased in the copied waitlist")
			.filter(({ name }) => !ONE_DATABASE.includes(`${name}`))
			.map((row) => (table === "note" ? { ...row, value: JSON.parse(`${row.value}`) } : row))
			.sort((one, other) => (placeOf(one) < placeOf(other) ? -1 : 1));
	}
	return rows;
}

/** Nobody has two letters here. */
const placeOf = (row: Row) => String(row.email_key ?? row.erased_at ?? JSON.stringify(row));

const day = (n: number) => `2026-01-${String(n).padStart(2, "0")}T10:00:00.000Z`;
const invitation = { kind: "invitation", wave: "open", asks: 2, attempts: 3, version: "v1" };
const ended = { ...invitation, ended_at: day(8), expires_at: day(22), claim: "old" };

/** A letter in each state, by the name of its person. */
const letters: Record<string, Row> = {
	accepted: { ...ended, state: "accepted", code: "250", unconfirmed: 1 },
	asked: { kind: "confirm", wave: "", state: "waiting" },
	cancelled: { ...invitation, wave: "cancelled", state: "refused", reason: "cancelled" },
	deferred: {
		...invitation,
		state: "deferred",
		code: "550 5.7.1",
	},
	gone: { ...ended, state: "accepted", code: "250", wave: "cancelled" },
	held: { ...invitation, state: "waiting", held: 1 },
	later: { ...invitation, wave: "later", state: "waiting" },
	paused: { ...invitation, wave: "paused", state: "waiting", held: 2 },
	redeemed: { ...ended, state: "accepted", code: "250", redeemed_at: day(9) },
	refused: { ...ended, state: "refused", code: "552 5.2.2", expires_at: "" },
	sending: { ...invitation, state: "sending", claim: "mine", lease_until: day(7) },
	unknown: { ...ended, state: "unknown", code: "ECONNECTION" },
	waiting: { ...invitation, state: "waiting" },
};

const keyOf = (name: string) => `${name}@example.com`;

const gap = { from: day(11), until: day(12) };

/** A desk that has all that a copy can keep. */
async function openFullDesk(kind: DatabaseKind) {
	const desk = await openEmptyDesk(kind);
	async function insert(table: string, row: Row) {
		const values = Object.values(row).map((value) =>
			typeof value === "number" ? value : `'${value}'`,
		);
		await desk.read(`INSERT INTO ${table} (${Object.keys(row)}) VALUES (${values})`);
	}
	const people = [...Object.keys(letters), "left", "bounced", "plain", "erased"];
	for (const [n, name] of people.entries()) {
		const key = keyOf(name);
		const flags = name === "plain" ? "honeypot" : "";
		const joined = { email: `${name}@Example.com`, source: "fair", created_at: day(1 + n) };
		await insert("registration", { email_key: key, ...joined, terms: "2026-01-01", flags });
		if (["plain", "erased", "asked"].includes(name)) continue;
		const confirmed = { confirmed_at: day(2), confirmed_by: "button", page: "cafe0123cafe" };
		const bounced = name === "bounced" ? { bounced_at: day(9), bounce: "550 5.1.1" } : {};
		const id = `a${n}`.padStart(32, "0");
		await insert("recipient", { email_key: key, id, ...confirmed, ...bounced });
	}
	for (const [n, [name, letter]] of Object.entries(letters).entries()) {
		const id = letter.kind === "confirm" ? "" : `b${n}`.padStart(32, "0");
		const times = { asked_at: day(5), next_at: day(6) };
		await insert("letter", { email_key: keyOf(name), id, ...times, ...letter });
	}
	const text = { subject: "Come in", message: "Words." };
	for (const [state, startsAt] of [
		...([["open", day(4)] as const, ["paused", day(4)] as const] as const),
		...([["cancelled", day(4)] as const, ["later", "2099-01-01T00:00:00.000Z"] as const] as const),
	]) {
		const wave = {
			state: state === "later" ? "open" : state,
			asked_at: day(3),
			changed_at: day(20),
		};
		const more = { kind: "invitation", size: 9, starts_at: startsAt, valid_days: 14, ...text };
		await insert("wave", { name: state, ...wave, ...more });
	}
	await given.gap(desk, gap);
	for (const n of [0, 1]) {
		await insert("visit_day", { day: day(10 + n).slice(0, 10), visits: 40 + n });
	}
	const wording = { kind: "form", said: "Join us", leads_to: "v2 v3", kept_at: day(1) };
	await insert("wording", { version: "cafe0123cafe", ...wording });
	await insert("outbox", {
		one: 1,
		free_at: 2 ** 51,
		pauses: 3,
		passed: 5,
		confirmed_free_at: 5,
		unconfirmed_free_at: 5,
		released_at: day(8),
		step: 2,
		stepped_at: day(9),
		paused_until: "9999-01-01T00:00:00.000Z",
		reason: "Not now.",
		cause: "refused",
	});
	const done = { session: "0badcafe", action: "letters held", details: "5" };
	for (const id of ["a", "b"]) await insert("office_audit", { at: day(3), id, ...done });
	for (const name of ONE_DATABASE) await insert("note", { name, value: "{}" });
	await insert(ASKED_MAILBOX, { letter: "x", mailbox: "y", asked_at: new Date().toISOString() });
	await desk.json(`erase ${keyOf("erased")}`);
	await desk.leave(keyOf("left"));
	await change(desk, "people", { mailbox: "hash" }, { key: keyOf("left") });
	return desk;
}

async function openEmptyDesk(kind: DatabaseKind) {
	const desk = await openWaveDesk(kind, cluster());
	return Object.assign(desk, {
		env: Object.assign(desk.env, {
			WAITLIST_SECRET: ERASURE_KEY,
			WAITLIST_ERASURES: join(desk.folder, "erasures"),
		}),
	});
}

type Desk = Awaited<ReturnType<typeof openFullDesk>>;

/** What happens on a desk after a copy of it was made. */
async function goOn(desk: Desk): Promise<void> {
	await desk.json("release");
	await desk.tell({ id: "b10".padStart(32, "0"), state: "accepted", code: "250" });
	await change(desk, "emails", { redeemed: day(10) }, { to: keyOf("accepted") });
	const bounced = { confirmed: day(15), bounced: "", bounceReason: "" };
	await change(desk, "people", bounced, { key: keyOf("bounced") });
	await desk.leave(keyOf("waiting"));
	await desk.json(`erase ${keyOf("deferred")}`);
	await desk.json("cancel open");
	await change(desk, "visits", { visits: 50 });
	await given.gap(desk, { ...gap, settled: day(13) });
	await desk.join(keyOf("new"));
}

const ISO = expect.stringMatching(/^20\d\d-.*Z$/);
const unknown = {
	state: "unknown",
	reason: "assumed",
	held: "0",
	claim: "",
	lease_until: "",
	ended_at: ISO,
	expires_at: ISO,
};
const held = { held: "1" };
/** What becomes of letters that are still to be sent: by a restore, and by whoever knows that none was. */
const restored: Record<string, Row> = {
	deferred: unknown,
	held: unknown,
	paused: unknown,
	sending: unknown,
	waiting: unknown,
	asked: { ...unknown, expires_at: "", asks: "2" },
	later: held,
};
const moved: Record<string, Row> = {
	asked: held,
	deferred: held,
	later: held,
	new: held,
	sending: unknown,
	waiting: held,
	paused: { held: "3" },
};

/**
 * The rows of a desk as a restore or a move has them.
 *
 * @param changes what becomes of letters that are not out yet, by the names of their people
 */
function copied(rows: Rows, changes: Record<string, Row> = {}): Rows {
	const changeOf = ({ email_key, state }: Row) =>
		["waiting", "deferred", "sending"].includes(`${state}`)
			? changes[String(email_key).split("@")[0]!]
			: {};
	return {
		...rows,
		letter: rows.letter!.map((row) => ({ ...row, ...changeOf(row) })),
		// The next sender makes them, and begins with the shortest pause.
		recipient: rows.recipient!.map((row) => ({ ...row, mailbox: "" })),
		outbox: rows.outbox!.map((row) => ({ ...row, pauses: "0" })),
	};
}

/** A gap that a restore has noted. */
const gapOf = (settled: unknown) => ({ name: "gap", value: { from: ISO, until: ISO, settled } });
const withGap = (settled: unknown) => (row: Row) => (row.name === "gap" ? gapOf(settled) : row);
const isSame = { comparison: { same: true } };

describe(`of a list on ${kind} that has something of all`, () => {
	const otherKind = kind === "SQLite" ? "PostgreSQL" : "SQLite";

	it("a backup keeps everything, and a restore says of what was to be sent that it does not know", async () => {
		const desk = await openFullDesk(kind);
		const rows = await readAll(desk.read);
		for (const [table, [row, ...others]] of Object.entries(rows)) {
			for (const column of Object.keys(row ?? {})) {
				const all = [row, ...others].map((one) => one![column]).join("");
				expect(all, `a value in ${table}.${column} that is no default`).toMatch(/[^0]/);
			}
			expect(row, table).toBeDefined();
		}
		const file = (name: string) => join(desk.folder, name);
		await desk.json("backup first.db");
		const backup = writingIn({ kind: "sqlite", file: file("first.db") });
		expect(await readAll(backup.read)).toEqual(rows);
		const notes = await backup.read<Row>("SELECT name FROM note ORDER BY name");
		expect(notes.map(({ name }) => name)).toEqual(["erasure key", "gap"]);
		for (const table of NOT_COPIED) {
			expect(await backup.read(`SELECT * FROM ${table}`), table).toEqual([]);
		}
		const indexes = "SELECT name, sql FROM sqlite_schema WHERE type = 'index' ORDER BY name";
		const empty = writingIn({ kind: "sqlite", file: file("empty.db") });
		expect(await backup.read(indexes)).toEqual(await empty.read(indexes));

		const other = await openEmptyDesk(otherKind);
		const restore = (name: string, options = "") =>
			other.json(`restore ${file(name)} --without-proofs${options}`);
		expect(await restore("first.db")).toMatchObject({ ...isSame, unknown: 6 });
		const first = await readAll(other.read);
		expect(first).toEqual({
			...copied(rows, restored),
			note: rows.note!.map(withGap("")),
		});
		expect(await restore("first.db")).toMatchObject({ added: 0, addedLetters: 0, unknown: 6 });
		expect(await readAll(other.read)).toEqual(first);

		await goOn(desk);
		const since = await readAll(desk.read);
		// Where nothing was lost, more is known than by the backup.
		expect(await desk.json("restore first.db")).toMatchObject({ ...isSame, unknown: 0 });
		expect(await readAll(desk.read)).toEqual(since);
		await desk.json("backup latest.db");
		expect(await restore("latest.db", " --nothing-sent-since")).toMatchObject(isSame);
		const latest = await readAll(other.read);
		expect(latest).toEqual({
			...copied(since, moved),
			note: since.note!.map(withGap(ISO)),
		});
		expect((await other.run(`find ${keyOf("erased")}`)).stdout).toContain("Erased on");
	});

	it("a move keeps everything, holds what is to be sent, and is run again", {
		tags: "slow",
	}, async () => {
		const desk = await openFullDesk(kind);
		const { to, read } = await openOtherKind(desk, kind, cluster());
		const move = () => desk.json(`migrate --to ${to}`);
		for (const happen of [async () => {}, goOn, async () => {}]) {
			await happen(desk);
			expect(await move()).toMatchObject(isSame);
			expect(await readAll(read)).toEqual(copied(await readAll(desk.read), moved));
		}
		const env = { ...desk.env, DATABASE_URL: to };
		const { stdout } = await runCommand(desk.folder, ["find", keyOf("erased")], { env });
		expect(stdout).toContain("Erased on");
	});

	it("an export and its import keep who was invited, confirmed, left and bounced", async () => {
		const desk = await openFullDesk(kind);
		const other = await openEmptyDesk(kind);
		const exported = async ({ run }: Desk, format: string) =>
			(await run(`export --format ${format}`)).stdout;
		const people = async (from: Desk) =>
			(await exported(from, "jsonl"))
				.trim()
				.split("\n")
				.map((line) => JSON.parse(line) as Record<string, string>);
		const rows = (await people(desk)).map(
			(row): Row =>
				// It may have gone out since.
				row.wave && !row.invitedAt && !row.unknownAt
					? { ...row, unknownAt: ISO, expiresAt: ISO }
					: row,
		);
		const withTime = (name: string) => rows.filter((row) => row[name]).length;
		expect(["wave", "invitedAt", "redeemedAt", "unknownAt"].map(withTime)).toEqual([11, 3, 1, 8]);
		expect(["confirmedAt", "leftAt", "bouncedAt"].map(withTime)).toEqual([14, 1, 1]);
		for (const format of ["csv", "jsonl"]) {
			await other.json(`import - --format ${format}`, await exported(desk, format));
			expect(await people(other)).toEqual(rows);
		}
		const found = await readAll(other.read);
		expect(found).toMatchObject({
			erasure: [{ reason: "left by import" }],
			note: expect.arrayContaining([gapOf("")]),
			outbox: [],
			visit_day: [],
			wording: [],
			office_audit: [],
			wave: ["cancelled", "later", "open", "paused"].map((name) => ({ name, state: "open" })),
		});
		const states = found.letter!.map(({ state }) => state);
		expect(new Set(states)).toEqual(new Set(["accepted", "unknown"]));
	});
});
