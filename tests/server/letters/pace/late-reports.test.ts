/** @module-tag slow */
import { describe, expect, it } from "vitest";
import { readSlowed, slowedAsText } from "../../../../src/server/letters/pace/brake.ts";
import { kind } from "../../../given/kind.ts";
import { fractions } from "../../chance.ts";
import { usePostgres } from "../../waitlist/databases.ts";
import { openPace, people, type Sent } from "./pace-desk.ts";

const cluster = usePostgres();
const MINUTE = 60_000;
const SEED = 7;

const count = 1500;
const rate = { count: 1000, periodMs: 60 * MINUTE };
const lateMs = 3 * MINUTE;
const aMinute = rate.count / 60;

/** Letters that may be taken at once as the brake acts: those under way, and the burst of the rate. */
const UNDER_WAY = 5;

describe(`a provider that takes everything, on ${kind}`, () => {
	/**
	 * Sends a list to such a provider, which reports later of a share of it.
	 *
	 * @param minutes for how long
	 */
	async function send(what: "bounce" | "complaint", share: number, minutes: number) {
		const pace = await openPace(kind, cluster(), { rate });
		const { clock, report, sent, server } = pace;
		const chance = fractions(SEED);
		const bad = new Set(people(count, "p").filter(() => chance.next().value < share));
		await pace.join(people(count, "p"));
		const reported: Sent[] = [];
		const rows: { slowed: number; letters: number }[] = [];
		for (let n = 0; n < minutes; n += 1, clock.ms += MINUTE) {
			const due = sent.filter((letter) => bad.has(letter.key) && letter.ms <= clock.ms - lateMs);
			const fresh = due.slice(reported.length);
			reported.push(...fresh);
			if (what === "complaint") for (const { key } of fresh) await pace.leave(key);
			await report(fresh, what);
			const before = sent.length;
			const [row] = await readSlowed(server.query);
			await pace.send(UNDER_WAY);
			rows.push({ slowed: row?.slowed ?? 1, letters: sent.length - before });
		}
		const first = rows.findIndex(({ slowed }) => slowed > 1);
		const [row] = await readSlowed(server.query);
		return { ...pace, bad, rows, first, text: row && slowedAsText(row) };
	}

	it(`slows for 6 % of dead addresses that it reports later (seed ${SEED})`, async () => {
		const { bad, rows, first, sent, text } = await send("bounce", 0.06, 120);
		expect(first).toBeGreaterThan(0);
		// From then on no minute has more than its share, and what was under way.
		for (const { slowed, letters } of rows.slice(first)) {
			expect(letters).toBeLessThanOrEqual(UNDER_WAY + (2 * aMinute) / slowed);
		}
		expect(rows.at(-1)!.slowed).toBe(8);
		expect(text).toMatch(
			/go out at 1\/8 of the rate: of the last \d+ addresses \d+ do not exist\./,
		);
		// What went out before a report could come, and what the test takes to be sure.
		const before = rows.slice(0, first).reduce((sum, { letters }) => sum + letters, 0);
		expect(before).toBeLessThanOrEqual(1000 + (lateMs / MINUTE) * aMinute);
		const dead = sent.filter(({ key }) => bad.has(key)).length;
		expect(dead).toBeLessThan(80);
		expect(new Set(sent.map(({ key }) => key)).size).toBe(sent.length);
		console.log(
			`${kind}: slowed after ${before} letters, ${dead} dead of ${sent.length} in two hours`,
		);
	});

	it(`does not slow for 2.1 % (seed ${SEED})`, async () => {
		const { rows, sent } = await send("bounce", 0.021, 100);
		expect(rows.filter(({ slowed }) => slowed > 1)).toEqual([]);
		expect(sent).toHaveLength(count);
	});

	it(`slows for three complaints among 1,000 letters (seed ${SEED})`, async () => {
		const { rows, first, sent, text } = await send("complaint", 0.006, 60);
		expect(first).toBeGreaterThan(0);
		for (const { slowed, letters } of rows.slice(first)) {
			expect(letters).toBeLessThanOrEqual(UNDER_WAY + (2 * aMinute) / slowed);
		}
		expect(text).toMatch(/of the rate: \d people called one of the last 1000 letters spam\.$/);
		expect(new Set(sent.map(({ key }) => key)).size).toBe(sent.length);
	});
});

it("complaints of one owner count once, and a stream is fast again when they are long ago", async () => {
	const { clock, join, report, send, sent, server } = await openPace("SQLite", cluster(), {
		rate: undefined,
	});
	await join(Array.from({ length: 5 }, (_, n) => `ada+${n}@example.com`));
	await send();
	await report(sent, "complaint");
	expect(await readSlowed(server.query)).toEqual([]);
	await join(people(5, "p"));
	await send();
	await report(sent.slice(5, 8), "complaint");
	expect(await readSlowed(server.query)).toMatchObject([
		{ stream: "confirmations", slowed: 4, complaints: 4 },
	]);
	await join(people(1000, "good"));
	for (let minute = 0; minute < 80; minute += 1, clock.ms += MINUTE) await send();
	expect(sent).toHaveLength(1010);
	expect(await readSlowed(server.query)).toEqual([]);
});
