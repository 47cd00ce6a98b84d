/** @module-tag slow */
import { expect, it } from "vitest";
import { postEmail } from "../../server-process.ts";
import { startCopies } from "../kills.ts";
import { type DatabaseKind, usePostgres } from "../waitlist/databases.ts";
import { openToldDesk } from "./told-desk.ts";

const cluster = usePostgres();
const eventually = { interval: 20 };

const KILLS = 30;
const PEOPLE = 600;
const servers: [DatabaseKind, number][] = [
	["SQLite", 1],
	["PostgreSQL", 2],
];

it.each(servers)(
	`another system misses nobody through ${KILLS} SIGKILLs on %s, %i servers`,
	async (kind, copies) => {
		const desk = await openToldDesk(kind, cluster());
		const told = () =>
			new Set(desk.receiver.received.map(({ body }) => JSON.parse(body).data.email));
		const { running, killOne } = await startCopies(desk.start, copies);
		const joined: string[] = [];
		for (let kill = 0; kill < KILLS; kill++) {
			const before = told().size;
			for (let n = 0; n < PEOPLE / KILLS; n++) {
				const email = `visitor-${joined.length}@example.com`;
				expect((await postEmail(running[0]!.url, email)).status).toBe(201);
				joined.push(email);
			}
			await expect.poll(() => told().size, eventually).toBeGreaterThan(before);
			await killOne();
		}
		// What was under way is taken again when its lease of 30 s has ended.
		await expect.poll(() => told().size, { interval: 100 }).toBe(PEOPLE);
		expect([...told()].sort()).toEqual(joined.sort());
		const ids = new Set(desk.receiver.received.map(({ headers }) => headers["webhook-id"]));
		expect(ids.size).toBe(PEOPLE);
	},
);
