import { describe, expect, it, onTestFinished } from "vitest";
import { joinAndAsk } from "../../../src/server/letters/asking.ts";
import { openOutbox, UNTIL_RELEASED } from "../../../src/server/letters/outbox.ts";
import type { Rate } from "../../../src/server/settings.ts";
import { openLedger } from "../../../src/server/waitlist/open-waitlist.ts";
import { postgres, sqlite } from "../../../src/server/waitlist/schema.ts";
import type { Run } from "../../../src/server/waitlist/waitlist.ts";
import { type DatabaseKind, placeOf, usePostgres } from "../waitlist/databases.ts";
import { registrationOf } from "../waitlist/waitlist-contract.ts";

const cluster = usePostgres();
const START = Date.parse("2026-11-22T10:00:00.000Z");
const MINUTE = 60_000;

describe.each<DatabaseKind>(["SQLite", "PostgreSQL"])("the outbox on %s", (kind) => {
	/** A waitlist that asks people to confirm, at a time that the test sets. */
	async function open({ rate }: { rate?: Rate } = {}) {
		const { settings } = await placeOf(kind, cluster());
		const dialect = kind === "SQLite" ? sqlite : postgres;
		const clock = { ms: START };
		const now = () => clock.ms;
		const ledger = await openLedger(settings, 2, joinAndAsk(dialect, now));
		onTestFinished(() => ledger.close());
		const outboxOf = ({ itsRate = rate, heard = (results: object[][]) => results } = {}) => {
			const run: Run = async (statements) => heard(await ledger.run(statements));
			return openOutbox(run, { dialect, rate: itsRate, now });
		};
		return {
			clock,
			outboxOf,
			outbox: outboxOf(),
			/** Joins now, all in one batch. */
			join(...emails: string[]) {
				const createdAt = new Date(clock.ms).toISOString();
				return ledger.add(emails.map((email) => ({ ...registrationOf(email), createdAt })));
			},
			add: ledger.add,
			async read(sql: string) {
				const [rows] = await ledger.run([{ sql }]);
				return rows!;
			},
		};
	}

	it("holds a letter for whoever joins, and none for whom the trap marked", async () => {
		const { add, outbox } = await open();
		expect(await outbox.look()).toEqual({ due: false, pause: undefined });
		await add([
			registrationOf("Ada@example.com"),
			{ ...registrationOf("bot@x.org"), flags: "trap" },
		]);
		expect((await outbox.look()).due).toBe(true);
		const { letters } = await outbox.turn([], 5);
		const id = expect.stringMatching(/^[0-9a-f]{32}$/);
		expect(letters).toEqual([
			{
				...{ id, kind: "confirm", attempts: 1, recipient: id },
				...{ key: "ada@example.com", email: "Ada@example.com" },
				...{ wave: "", expiresAt: "", subject: "", message: "" },
			},
		]);
		expect((await outbox.look()).due).toBe(false);
	});

	it("gives a letter to one sender only", async () => {
		const { join, outboxOf } = await open();
		await join(...Array.from({ length: 50 }, (_, n) => `visitor-${n}@example.com`));
		const turns = await Promise.all(Array.from({ length: 12 }, () => outboxOf().turn([], 5)));
		const emails = turns.flatMap(({ letters }) => letters.map(({ email }) => email));
		expect(emails).toHaveLength(50);
		expect(new Set(emails).size).toBe(50);
	});

	it("takes no more in a turn whose answer was lost, and finds what it took", async () => {
		const { join, outboxOf } = await open();
		await join(...Array.from({ length: 20 }, (_, n) => `visitor-${n}@example.com`));
		const outbox = outboxOf({
			heard: (results) => {
				lost = results.at(-1) as { id: string }[];
				throw new Error("connection lost");
			},
		});
		let lost: { id: string }[] = [];
		await expect(outbox.turn([], 5)).rejects.toThrow("connection lost");
		for (const most of [5, 0]) {
			lost = [];
			await expect(outbox.turn([], most)).rejects.toThrow("connection lost");
			expect(lost).toHaveLength(5);
		}
	});

	it("tries a deferred letter again in its time, under the same id", async () => {
		const { clock, join, outbox } = await open();
		await join("ada@example.com");
		const [first] = (await outbox.turn([], 5)).letters;
		const nextAt = clock.ms + 5 * MINUTE;
		const deferred = {
			id: first!.id,
			state: "deferred",
			nextAt,
			code: "450 4.2.0",
			version: "v1",
		} as const;
		expect((await outbox.turn([deferred], 5)).letters).toEqual([]);
		clock.ms = nextAt;
		expect((await outbox.turn([], 5)).letters).toEqual([{ ...first, attempts: 2 }]);
	});

	it("knows no more of a letter whose sender is gone, and never sends it by itself", async () => {
		const { clock, join, outbox, outboxOf, read } = await open();
		await join("ada@example.com");
		const [taken] = (await outbox.turn([], 5)).letters;
		clock.ms += 6 * MINUTE;
		expect((await outboxOf().look()).due).toBe(true);
		expect(await outboxOf().turn([], 5)).toEqual({
			...{ letters: [], turnedAway: 0, lost: 1, stopped: false },
		});
		expect(await read("SELECT state FROM letter")).toEqual([{ state: "unknown" }]);
		// Unless the sender was only slow.
		await outbox.turn([{ id: taken!.id, state: "accepted", code: "250", version: "v1" }], 5);
		expect(await read("SELECT state, code FROM letter")).toEqual([
			{ state: "accepted", code: "250" },
		]);
	});

	it("sends in no period more than the rate allows, however many copies send", async () => {
		const { clock, join, outboxOf } = await open({ rate: { count: 20, periodMs: 60 * MINUTE } });
		await join(...Array.from({ length: 200 }, (_, n) => `visitor-${n}@example.com`));
		const copies = [outboxOf(), outboxOf()];
		const times: number[] = [];
		for (; clock.ms < START + 3 * 60 * MINUTE; clock.ms += 2 * MINUTE) {
			for (const copy of copies) {
				const { letters } = await copy.turn([], 5);
				for (const { id } of letters) {
					times.push(clock.ms);
					await copy.turn([{ id, state: "accepted", code: "250", version: "v1" }], 0);
				}
			}
		}
		const inPeriodFrom = (from: number) =>
			times.filter((time) => time >= from && time < from + 60 * MINUTE).length;
		expect(Math.max(...times.map(inPeriodFrom))).toBe(20);
		expect(times.length).toBeGreaterThan(55);
	});

	it("follows a rate that was raised at once", async () => {
		const { clock, join, outboxOf } = await open({
			rate: { count: 10, periodMs: 24 * 60 * MINUTE },
		});
		await join(...Array.from({ length: 50 }, (_, n) => `visitor-${n}@example.com`));
		expect((await outboxOf().turn([], 50)).letters).toHaveLength(1);
		const faster = outboxOf({ itsRate: { count: 100, periodMs: 10 * MINUTE } });
		await faster.turn([], 50);
		clock.ms += MINUTE;
		expect((await faster.turn([], 50)).letters.length).toBeGreaterThan(5);
	});

	it("sends nothing while it is paused, and keeps the longer pause", async () => {
		const { clock, join, outbox } = await open();
		await join("ada@example.com");
		const until = new Date(clock.ms + 10 * MINUTE).toISOString();
		await outbox.pause({ until, reason: "Not now." });
		await outbox.pause({ until: new Date(clock.ms + MINUTE).toISOString(), reason: "Shorter." });
		expect(await outbox.look()).toEqual({ due: true, pause: { until, reason: "Not now." } });
		expect((await outbox.turn([], 5)).letters).toEqual([]);
		clock.ms += 10 * MINUTE;
		expect((await outbox.turn([], 5)).letters).toHaveLength(1);
	});

	it("stops where more than five of the last hundred addresses do not exist", async () => {
		const { clock, join, outbox } = await open();
		await join(...Array.from({ length: 200 }, (_, n) => `visitor-${n}@example.com`));
		const { letters } = await outbox.turn([], 200);
		const bounced = { state: "refused", code: "550 5.1.1", version: "v1", bounced: true } as const;
		// Five that are too long ago to count.
		await outbox.turn(
			letters.splice(0, 5).map(({ id }) => ({ id, ...bounced })),
			0,
		);
		clock.ms += 1;
		const accepted = { state: "accepted", code: "250", version: "v1" } as const;
		await outbox.turn(
			letters.splice(0, 95).map(({ id }) => ({ id, ...accepted })),
			0,
		);
		clock.ms += 1;
		const five = letters.splice(0, 5).map(({ id }) => ({ id, ...bounced }));
		expect(await outbox.turn(five, 0)).toMatchObject({ stopped: false });
		clock.ms += 1;
		const sixth = letters.splice(0, 1).map(({ id }) => ({ id, ...bounced }));
		expect(await outbox.turn(sixth, 0)).toMatchObject({ stopped: true });
		expect((await outbox.look()).pause?.until).toBe(UNTIL_RELEASED);
	});

	it("asks again 15 minutes after a letter went out, however long it waited", async () => {
		const { clock, join, outbox } = await open();
		await join("ada@example.com");
		clock.ms += 60 * MINUTE;
		const [letter] = (await outbox.turn([], 5)).letters;
		await outbox.turn([{ id: letter!.id, state: "accepted", code: "250", version: "v1" }], 0);
		clock.ms += 14 * MINUTE;
		await join("ada@example.com");
		expect((await outbox.turn([], 5)).letters).toEqual([]);
		clock.ms += MINUTE;
		await join("ada@example.com");
		expect((await outbox.turn([], 5)).letters).toHaveLength(1);
	});

	it("asks again by a duplicate, after 15 minutes, three times in all", async () => {
		const { clock, join, outbox } = await open();
		const sent = async () => {
			const { letters } = await outbox.turn([], 5);
			await outbox.turn(
				letters.map(({ id }) => ({ id, state: "accepted", code: "250", version: "v1" })),
				0,
			);
			return letters.length;
		};
		await join("ada@example.com");
		// Still waiting: nothing to ask again.
		await join("ada@example.com");
		expect(await sent()).toBe(1);
		clock.ms += 14 * MINUTE;
		await join("ada@example.com");
		expect(await sent()).toBe(0);
		clock.ms += MINUTE;
		await Promise.all(Array.from({ length: 100 }, () => join("ada@example.com")));
		expect(await sent()).toBe(1);
		clock.ms += 15 * MINUTE;
		await join("ada@example.com");
		expect(await sent()).toBe(1);
		clock.ms += 24 * 60 * MINUTE;
		await join("ada@example.com");
		expect(await sent()).toBe(0);
	});
});

it("the outbox on PostgreSQL reads few letters to take five of many", async () => {
	const { settings } = await placeOf("PostgreSQL", cluster());
	const ledger = await openLedger(settings, 1);
	onTestFinished(() => ledger.close());
	const time = new Date(START).toISOString();
	await ledger.run([
		{
			sql: `INSERT INTO letter (email_key, kind, wave, state, asked_at, next_at)
				SELECT n || '@example.com', 'confirm', '', 'waiting', '${time}', '${time}'
				FROM generate_series(1, 20000) AS n`,
		},
	]);
	await ledger.run([{ sql: "ANALYZE letter" }]);
	let plan = "";
	const run: Run = async (statements) => {
		const take = statements.find(({ sql }) => sql.includes("SET state = 'sending'"))!;
		const [, rows] = await ledger.run([statements[0]!, { ...take, sql: `EXPLAIN ${take.sql}` }]);
		plan = JSON.stringify(rows);
		return statements.map(() => []);
	};
	const rate = { count: 100, periodMs: 60 * MINUTE };
	for (const limit of [undefined, rate]) {
		await openOutbox(run, { dialect: postgres, rate: limit, now: () => START }).turn([], 5);
		expect(plan).toContain("letter_to_send");
		expect(plan).not.toContain("Seq Scan on letter");
	}
});
