import { describe, expect, it, onTestFinished } from "vitest";
import { dialects } from "../../../../src/server/database/dialect.ts";
import { joinAndAsk } from "../../../../src/server/letters/asking.ts";
import type { TakenLetter } from "../../../../src/server/letters/letter.ts";
import { readSlowed } from "../../../../src/server/letters/pace/brake.ts";
import { type Outbox, openOutbox } from "../../../../src/server/letters/sending/outbox.ts";
import { kind } from "../../../given/kind.ts";
import { fractions } from "../../chance.ts";
import { type DatabaseKind, openServer, placeOf, usePostgres } from "../../waitlist/databases.ts";
import { registrationOf } from "../../waitlist/waitlist-contract.ts";

const cluster = usePostgres();
const START = Date.parse("2026-11-22T10:00:00.000Z");
const MINUTE = 60_000;
const RATE = { count: 10_000, periodMs: 60 * MINUTE };

/** Addresses at a domain each, so that each counts for itself. */
const people = (count: number, name: string) =>
	Array.from({ length: count }, (_, n) => `${name}-${n}@${name}-${n}.example`);

/** An outbox that sends 10,000 letters an hour to people of whom some do not exist. */
async function open(kind: DatabaseKind, isDead: (key: string) => boolean) {
	const { settings } = await placeOf(kind, cluster());
	const dialect = dialects[settings.kind];
	const clock = { ms: START };
	const now = () => clock.ms;
	const server = await openServer(settings, () => {}, joinAndAsk(dialect, now));
	onTestFinished(() => server.close());
	const outboxOf = () => openOutbox(server, { rate: RATE, now });
	const outbox = outboxOf();
	const sent: { kind: string; key: string; ms: number }[] = [];
	const endOf = ({ id, key }: TakenLetter) => {
		return isDead(key)
			? ({ id, state: "refused", code: "550 5.1.1", version: "v1", bounced: true } as const)
			: ({ id, state: "accepted", code: "250", version: "v1" } as const);
	};
	return {
		clock,
		sent,
		outboxOf,
		join: (emails: string[]) => {
			const createdAt = new Date(clock.ms).toISOString();
			return server.add(emails.map((email) => ({ ...registrationOf(email), createdAt })));
		},
		/** Adds letters of a wave to people, in a stream. */
		async wave(emails: string[], { unconfirmed = 0 } = {}) {
			const time = new Date(clock.ms).toISOString();
			await server.add(emails.map((email) => ({ ...registrationOf(email), flags: "" })));
			await server.run({
				added: {
					sql: `INSERT INTO letter (email_key, kind, wave, state, asked_at, next_at, unconfirmed)
						SELECT value->>0, 'news', 'w', 'waiting', '${time}', '${time}', ${unconfirmed}
						FROM ${dialect.jsonRows}`,
					parameters: [JSON.stringify(emails.map((email) => [email]))],
				},
				unasked: {
					sql: "DELETE FROM letter WHERE wave = '' AND email_key IN (SELECT email_key FROM letter WHERE wave = 'w')",
				},
			});
		},
		/** Takes turns for so many minutes. Gives how fast each stream was, by minute. */
		async minutes(count: number, senders: Outbox[] = [outbox]) {
			const speeds: string[][] = [];
			for (let n = 0; n < count; n += 1, clock.ms += MINUTE) {
				for (let turns = 0, took = 1; took > 0 && turns < 5; turns += 1) {
					took = 0;
					for (const sender of senders) {
						const { letters } = await sender.turn([], 40);
						took += letters.length;
						sent.push(...letters.map(({ kind, key }) => ({ kind, key, ms: clock.ms })));
						if (took > 0) await sender.turn(letters.map(endOf), 0);
					}
				}
				speeds.push(
					(await readSlowed(server.query)).map(({ stream, slowed }) => `${stream} ${slowed}`),
				);
			}
			return speeds;
		},
	};
}

describe(`the brake on ${kind}`, () => {
	const launch = 300;
	it(`lets ${launch} letters go at the whole rate where 2.1 % of addresses are dead (seed 7)`, async () => {
		const chance = fractions(7);
		const dead = new Set(people(launch, "p").filter(() => chance.next().value < 0.021));
		const { join, minutes, sent } = await open(kind, (key) => dead.has(key));
		await join(people(launch, "p"));
		const speeds = await minutes(Math.ceil((launch * 60) / RATE.count) + 3);
		expect(sent).toHaveLength(launch);
		expect(speeds.flat()).toEqual([]);
	});

	it("does not mind six dead addresses that somebody types", async () => {
		const { join, minutes } = await open(kind, () => true);
		await join(people(6, "typed"));
		expect((await minutes(2)).flat()).toEqual([]);
	});

	it("slows what strangers type, not waves, for all copies, and lets it go on by itself", async () => {
		const { clock, join, wave, minutes, outboxOf, sent } = await open(kind, (key) =>
			key.startsWith("t"),
		);
		await join(Array.from({ length: 30 }, (_, n) => `typed${n}@gmail.com`));
		expect((await minutes(1)).flat()).toEqual(["confirmations 8"]);
		await wave(people(40, "invited"));
		await join(people(260, "visitor"));
		const before = clock.ms;
		// However many copies there are, and whichever was restarted.
		await minutes(2, [outboxOf(), outboxOf()]);
		const kinds = (kind: string) =>
			sent.filter((letter) => letter.ms >= before && letter.kind === kind);
		const aMinute = RATE.count / 60 / 8;
		expect(kinds("confirm").length).toBeGreaterThan(aMinute);
		expect(kinds("confirm").length).toBeLessThanOrEqual(1 + 2 * aMinute);
		expect(kinds("news")).toHaveLength(40);
		expect(new Set(kinds("news").map(({ ms }) => ms)).size).toBe(1);
		const speeds = await minutes(8);
		expect(speeds[0]).toEqual(["confirmations 8"]);
		expect(speeds.at(-1)).toEqual([]);
		expect(new Set(sent.map(({ key }) => key)).size).toBe(sent.length);
	});
});

it("the brake slows a list with 8 % of dead addresses before much harm is done (seed 7)", async () => {
	const chance = fractions(7);
	const dead = new Set(people(2000, "old").filter(() => chance.next().value < 0.08));
	const { wave, minutes, sent } = await open("SQLite", (key) => dead.has(key));
	await wave(people(2000, "old"), { unconfirmed: 1 });
	expect((await minutes(12)).at(-1)).toEqual(["unconfirmed 8"]);
	expect(sent.filter(({ key }) => dead.has(key)).length).toBeLessThan(50);
});
