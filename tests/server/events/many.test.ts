/** @module-tag slow */
import { expect, it } from "vitest";
import { TOGETHER } from "../../../src/server/events/sender.ts";
import { usePostgres } from "../waitlist/databases.ts";
import { openEventsDesk } from "./events-desk.ts";

const cluster = usePostgres();

const EVENTS = 10_000;
const BATCH = 500;

it.each(["SQLite", "PostgreSQL"] as const)(
	`${EVENTS} events wait for a receiver that is down for an hour, and all arrive, on %s`,
	async (kind) => {
		let down = true;
		const delivered: string[] = [];
		const desk = await openEventsDesk(kind, cluster(), ({ body }) => {
			if (down) return { status: 503 };
			delivered.push(JSON.parse(body).data.id);
			return { status: 204 };
		});
		await desk.start();
		for (let from = 0; from < EVENTS; from += BATCH) {
			await desk.join(...Array.from({ length: BATCH }, (_, n) => `${from + n}@example.com`));
			desk.pass((3_600_000 * BATCH) / EVENTS);
		}
		expect(desk.received.length).toBeLessThan(400);
		down = false;
		// A minute of rest at most, and the schedule of those that were tried.
		for (let n = 0; n < 10; n++) desk.pass(3_600_000);
		await expect.poll(() => desk.count(), { interval: 500 }).toBe(0);
		expect([delivered.length, new Set(delivered).size]).toEqual([EVENTS, EVENTS]);
		// Memory is flat: the sender never holds more events than it sends at the same time.
		expect(Math.max(...desk.claimed)).toBe(TOGETHER);
	},
);
