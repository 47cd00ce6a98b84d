import fc from "fast-check";
import { expect, it, onTestFinished } from "vitest";
import type { EmailAttempt } from "../../../src/server/mail/emails/email.ts";
import { openOutbox } from "../../../src/server/mail/outbox.ts";
import { countEmailsByState } from "../../../src/server/mail/overview.ts";
import type { Rate } from "../../../src/server/settings/values.ts";
import { given, removeRows } from "../../given/given.ts";
import { kind } from "../../given/kind.ts";
import { openDatabaseWithClock } from "../registrations/databases.ts";

const SEED = 27;
const COPIES = 2;

const rates: Rate[] = [
	{ count: 30, periodMs: 60_000 },
	{ count: 7, periodMs: 60_000 },
	{ count: 100, periodMs: 300_000 },
];

const round = fc.record({
	confirm: fc.integer({ min: 0, max: 100 }),
	news: fc.integer({ min: 0, max: 100 }),
	turns: fc.integer({ min: 1, max: 60 }),
	gapMs: fc.oneof(fc.integer({ min: 100, max: 1000 }), fc.integer({ min: 0, max: 20_000 })),
	connections: fc.integer({ min: 1, max: 20 }),
	lateMs: fc.constantFrom(0, 1500, 3000),
	fate: fc.constantFrom("accepted", "deferred", "waiting", "killed"),
});

type Round = typeof round extends fc.Arbitrary<infer Value> ? Value : never;

const RUNS = 4;

it(`no period exceeds the rate, and while both are due, a wave gets one email in ten (seed ${SEED})`, async () => {
	const { clock, server } = await openDatabaseWithClock(kind);
	onTestFinished(() => server.close());
	const began = clock.ms;
	async function add(name: string, kind: "confirm" | "news", count: number) {
		const emails = Array.from({ length: count }, (_, n) => `${name}-${n}@example.com`);
		const now = new Date(clock.ms);
		await given.people(server, emails);
		const wave = kind === "news" ? "news-1" : "";
		await given.emails(server, emails, { kind, wave, queued: now, nextAttempt: now });
	}
	let sharedTurns = 0;
	async function kindsDue() {
		const counted = await countEmailsByState(server);
		const open = counted.filter(({ state }) => state === "waiting" || state === "deferred");
		return new Set(open.map(({ kind }) => kind)).size;
	}

	async function departuresOf(rate: Rate, rounds: Round[]) {
		const start = () => ({
			outbox: openOutbox(server, { rate, now: () => clock.ms }),
			tried: [] as EmailAttempt[],
		});
		const copies = Array.from({ length: COPIES }, start);
		let both = { all: 0, news: 0 };
		const departures: number[] = [];
		for (const [place, { confirm, news, turns, gapMs, ...round }] of rounds.entries()) {
			await add(`${place}-c`, "confirm", confirm);
			await add(`${place}-n`, "news", news);
			for (let turn = 0; turn < turns; turn++, clock.ms += gapMs) {
				const copy = copies[turn % COPIES]!;
				const { emails } = await copy.outbox.turn(copy.tried, round.connections);
				departures.push(...emails.map(() => clock.ms + round.lateMs));
				both.all += emails.length;
				both.news += emails.filter(({ kind }) => kind === "news").length;
				if ((await kindsDue()) < 2) both = { all: 0, news: 0 };
				else {
					expect(both.news).toBeGreaterThanOrEqual(Math.floor(both.all / 10));
					expect(both.news).toBeLessThanOrEqual(Math.floor((both.all + 9) / 10));
					sharedTurns += 1;
				}
				copy.tried = emails.map(({ id }) => {
					const letter = { id, code: "", version: "v1" };
					if (round.fate === "accepted") return { ...letter, state: "accepted" };
					const state = round.fate === "deferred" ? "deferred" : "waiting";
					return { ...letter, state, nextAt: clock.ms };
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
			for (const kind of ["notes", "emails", "people"] as const) await removeRows(server, kind);
			clock.ms = began;
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
