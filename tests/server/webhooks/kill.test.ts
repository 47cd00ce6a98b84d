/** @module-tag slow */
import { expect, it } from "vitest";
import { postEmail } from "../../server-process.ts";
import { startCopies } from "../kills.ts";
import { openWebhookDesk } from "./events-desk.ts";

const KILLS = 30;
const PEOPLE = 600;

it.each([["SQLite", 1] as const, ["PostgreSQL", 2] as const])(
	`no event is lost through ${KILLS} SIGKILLs on %s, %i servers`,
	async (kind, copies) => {
		const desk = await openWebhookDesk(kind);
		const delivered = () => new Set(desk.received.map(({ body }) => JSON.parse(body).data.email));
		const { running, killOne } = await startCopies(desk.start, copies);
		const joined: string[] = [];
		for (let kill = 0; kill < KILLS; kill++) {
			const before = delivered().size;
			for (let n = 0; n < PEOPLE / KILLS; n++) {
				const email = `visitor-${joined.length}@example.com`;
				expect((await postEmail(running[0]!.url, email)).status).toBe(201);
				joined.push(email);
			}
			await expect.poll(() => delivered().size, { interval: 20 }).toBeGreaterThan(before);
			await killOne();
		}
		// What was under way is claimed again when its lease of 30 s has ended.
		await expect.poll(() => delivered().size, { interval: 100 }).toBe(PEOPLE);
		expect([...delivered()].sort()).toEqual(joined.sort());
		const ids = new Set(desk.received.map(({ headers }) => headers["webhook-id"]));
		expect(ids.size).toBe(PEOPLE);
	},
);
