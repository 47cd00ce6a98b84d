import { setTimeout as wait } from "node:timers/promises";
import { expect, it } from "vitest";
import { readRows } from "./read-rows.ts";
import { postEmail, startServer } from "./server-process.ts";
import { temporaryFolder } from "./temporary.ts";

const KILLS = 100;
const VISITORS = 16;

/** When each kill falls, after the first answer of its round; KILL_SEED replays one. */
const seed = Number(process.env.KILL_SEED ?? Date.now() % 2 ** 31);

/** Numbers from 0 to 1 by a linear congruential generator (Numerical Recipes, 7.1). */
function* fractions(state: number) {
	for (;;) {
		state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
		yield state / 2 ** 32;
	}
}

it(`keeps every acknowledged address through ${KILLS} SIGKILLs (seed ${seed})`, async () => {
	const folder = await temporaryFolder();
	const chance = fractions(seed);
	const acknowledged: string[] = [];
	let file = "";
	for (let round = 0; round < KILLS; round++) {
		const server = await startServer({ folder });
		file = server.file;
		let alive = true;
		const before = acknowledged.length;
		const visitors = Array.from({ length: VISITORS }, async (_, visitor) => {
			for (let n = 0; alive; n++) {
				const email = `round-${round}-visitor-${visitor}-${n}@example.com`;
				const answer = await postEmail(server.url, email).catch(() => undefined);
				if (answer === undefined) return;
				expect(answer.status).toBe(201);
				acknowledged.push(email);
			}
		});
		await expect.poll(() => acknowledged.length, { interval: 1 }).toBeGreaterThan(before);
		await wait(chance.next().value! * 40);
		server.process.kill("SIGKILL");
		alive = false;
		await Promise.all(visitors);
		expect(await server.ended).toBe("SIGKILL");
	}
	const kept = new Set(readRows(file).map(({ email }) => email));
	expect(acknowledged.filter((email) => !kept.has(email))).toEqual([]);
	expect(acknowledged.length).toBeGreaterThan(KILLS);
}, 180_000);
