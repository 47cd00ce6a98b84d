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
		const told = new Map<string, string[]>();
		const desk = await openEventsDesk(kind, cluster(), {
			answer({ body }) {
				if (down) return { status: 503 };
				const { type, data } = JSON.parse(body);
				told.set(data.id, [...(told.get(data.id) ?? []), type]);
				return { status: 204 };
			},
		});
		await desk.start();
		for (let from = 0; from < EVENTS; from += BATCH) {
			await desk.join(
				...Array.from({ length: BATCH }, (_, n) => `visitor-${from + n}@example.com`),
			);
			desk.pass((3_600_000 * BATCH) / EVENTS);
		}
		expect(desk.received.length).toBeLessThan(400);
		down = false;
		desk.received.length = 0;
		// A minute of rest at most, and the schedule of those that were tried.
		for (let n = 0; n < 10; n++) desk.pass(3_600_000);
		await expect.poll(() => desk.count(), { interval: 500 }).toBe(0);
		expect(told.size).toBe(EVENTS);
		// Memory is flat: the sender never holds more events than it sends at the same time.
		expect(desk.mostRows()).toBe(TOGETHER);
		expect([...told.values()].every((types) => types.join() === "registration.joined")).toBe(true);
	},
);
