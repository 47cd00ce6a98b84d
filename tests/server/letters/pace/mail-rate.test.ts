import fc from "fast-check";
import { expect, it, onTestFinished } from "vitest";
import type { Run } from "../../../../src/server/database/database.ts";
import type { TriedLetter } from "../../../../src/server/letters/letter.ts";
import { openOutbox } from "../../../../src/server/letters/sending/outbox.ts";
import type { Rate } from "../../../../src/server/settings.ts";
import { openServer, placeOf, usePostgres } from "../../waitlist/databases.ts";

const cluster = usePostgres();
const START = Date.parse("2026-11-22T10:00:00.000Z");
const SEED = 27;
const COPIES = 2;

const rates: Rate[] = [
	{ count: 30, periodMs: 60_000 },
	{ count: 7, periodMs: 60_000 },
	{ count: 100, periodMs: 300_000 },
];

/** Letters are added, and then the copies of the server take turns with the outbox. */
const round = fc.record({
	confirm: fc.integer({ min: 0, max: 100 }),
	news: fc.integer({ min: 0, max: 100 }),
	turns: fc.integer({ min: 1, max: 60 }),
	/** Time between two turns. */
	gapMs: fc.oneof(fc.integer({ min: 100, max: 1000 }), fc.integer({ min: 0, max: 20_000 })),
	connections: fc.integer({ min: 1, max: 20 }),
	/** How long after they were taken these letters reach the mail server. */
	lateMs: fc.constantFrom(0, 1500, 3000),
	/** What becomes of them, of the copy that has them, or of the database's answer. */
	fate: fc.constantFrom("accepted", "deferred", "waiting", "killed", "unheard"),
});

type Round = typeof round extends fc.Arbitrary<infer Value> ? Value : never;

const RUNS = 4;

it(`no period on SQLite has more letters than the rate, and while both are due a wave has one of ten (seed ${SEED})`, async () => {
	const { settings } = await placeOf("SQLite", cluster());
	const server = await openServer(settings);
	onTestFinished(() => server.close());
	const clock = { ms: START };
	const iso = () => new Date(clock.ms).toISOString();
	let isHeard = true;
	const run: Run = async (statements) => {
		const results = await server.run(statements);
		if (!isHeard) throw new Error("connection lost");
		return results;
	};

	let sharedTurns = 0;
	function kindsDue() {
		const sql = `SELECT DISTINCT kind FROM letter
				WHERE next_at <= $1 AND state IN ('waiting', 'deferred')`;
		return server.query(sql, [iso()]);
	}

	async function departuresOf(rate: Rate, rounds: Round[]) {
		const start = () => ({
			outbox: openOutbox({ ...server, run }, { rate, now: () => clock.ms }),
			tried: [] as TriedLetter[],
			/** Letters that it took in a row while there were more of both kinds. */
			both: { all: 0, news: 0 },
		});
		const copies = Array.from({ length: COPIES }, start);
		const departures: number[] = [];
		for (const [place, { confirm, news, turns, gapMs, ...round }] of rounds.entries()) {
			await server.run({
				confirm: additions(`${place}-c`, "confirm", confirm, iso()),
				news: additions(`${place}-n`, "news", news, iso()),
			});
			for (let turn = 0; turn < turns; turn++, clock.ms += gapMs) {
				const copy = copies[turn % COPIES]!;
				isHeard = round.fate !== "unheard";
				const answer = await copy.outbox.turn(copy.tried, round.connections).catch(() => undefined);
				if (!answer) continue;
				const { letters } = answer;
				departures.push(...letters.map(() => clock.ms + round.lateMs));
				const newsTaken = letters.filter(({ kind }) => kind === "news").length;
				const { both } = copy;
				both.all += letters.length;
				both.news += newsTaken;
				if ((await kindsDue()).length < 2) copy.both = { all: 0, news: 0 };
				else {
					expect(both.news).toBeGreaterThanOrEqual(Math.floor(both.all / 10));
					expect(both.news).toBeLessThanOrEqual(Math.floor((both.all + 9) / 10));
					sharedTurns += 1;
				}
				copy.tried = letters.map(({ id }) => {
					const letter = { id, code: "", version: "v1" };
					if (round.fate === "accepted") return { ...letter, state: "accepted" };
					return {
						...letter,
						state: round.fate === "deferred" ? "deferred" : "waiting",
						nextAt: clock.ms,
					};
				});
				if (round.fate === "killed") copies[turn % COPIES] = start();
			}
		}
		return departures;
	}

	const property = fc.asyncProperty(
		fc.constantFrom(...rates),
		fc.array(round, { minLength: 1, maxLength: 12, size: "max" }),
		async (rate, rounds) => {
			const tables = ["outbox", "letter", "registration", "recipient"];
			await server.run({ emptied: tables.map((table) => ({ sql: `DELETE FROM ${table}` })) });
			clock.ms = START;
			const departures = await departuresOf(rate, rounds);
			for (const from of departures) {
				const inPeriod = departures.filter((ms) => ms >= from && ms < from + rate.periodMs);
				expect(inPeriod.length).toBeLessThanOrEqual(rate.count);
			}
		},
	);
	await fc.assert(property, { seed: SEED, numRuns: RUNS });
	expect(sharedTurns).toBeGreaterThan(0);
});

it.each(["SQLite", "PostgreSQL"] as const)(
	"a wave has one of ten also where each letter has a sender of its own, as by a timer, on %s",
	{ tags: "slow" },
	async (kind) => {
		const { settings } = await placeOf(kind, cluster());
		const server = await openServer(settings);
		onTestFinished(() => server.close());
		const clock = { ms: START };
		const due = (name: "confirm" | "news") =>
			additions(name, name, 40, new Date(clock.ms).toISOString());
		await server.run({ confirm: due("confirm"), news: due("news") });
		const kinds: string[] = [];
		for (let n = 0; n < 30; n++, clock.ms += 1000) {
			const outbox = openOutbox(server, { rate: undefined, now: () => clock.ms });
			const { letters } = await outbox.turn([], 1);
			kinds.push(...letters.map((letter) => letter.kind));
			const ended = { state: "accepted", code: "250", version: "v1" } as const;
			await outbox.turn(
				letters.map(({ id }) => ({ id, ...ended })),
				0,
			);
		}
		const ten = [...Array(9).fill("confirm"), "news"];
		expect(kinds).toEqual([...ten, ...ten, ...ten]);
	},
);

/** People with a letter each that is due. */
function additions(name: string, kind: "confirm" | "news", count: number, time: string) {
	const numbers = `WITH RECURSIVE numbers(n) AS (
		SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ${count})`;
	const email = `'${name}-' || n || '@example.com'`;
	const wave = kind === "news" ? "news-1" : "";
	if (count === 0) return [];
	return [
		{
			sql: `INSERT INTO registration (email_key, email, source, created_at, terms, flags)
				${numbers} SELECT ${email}, ${email}, 'test', '${time}', '', '' FROM numbers`,
		},
		{
			sql: `INSERT INTO letter (email_key, kind, wave, state, asked_at, next_at)
				${numbers} SELECT ${email}, '${kind}', '${wave}', 'waiting', '${time}', '${time}' FROM numbers`,
		},
	];
}
