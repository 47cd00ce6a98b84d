import { setTimeout as wait } from "node:timers/promises";
import { expect, it } from "vitest";
import { startServer } from "../../server-process.ts";
import { sized } from "../../sized.ts";
import { fractions, seed } from "../chance.ts";
import { placeOf, usePostgres } from "./databases.ts";
import { sendVisitors } from "./visitors.ts";

const KILLS = sized(8, 50);

const cluster = usePostgres();

it.each(["SQLite", "PostgreSQL"] as const)(
	`keeps every acknowledged address in %s through ${KILLS} SIGKILLs (seed ${seed})`,
	async (kind) => {
		const { folder, env, emails } = await placeOf(kind, cluster());
		const chance = fractions(seed);
		const acknowledged: string[] = [];
		for (let round = 0; round < KILLS; round++) {
			const server = await startServer({ folder, env });
			const visitors = sendVisitors(server.url, 16, `round-${round}`);
			await expect.poll(() => visitors.acknowledged.length, { interval: 1 }).toBeGreaterThan(0);
			await wait(chance.next().value * 40);
			server.process.kill("SIGKILL");
			await visitors.stop();
			expect(await server.ended).toBe("SIGKILL");
			expect(visitors.broken).toEqual([]);
			acknowledged.push(...visitors.acknowledged);
		}
		const kept = await emails();
		expect(acknowledged.filter((email) => !kept.has(email))).toEqual([]);
		expect(acknowledged.length).toBeGreaterThan(KILLS);
		console.log(`${kind}: ${KILLS} kills, ${acknowledged.length} acknowledged, none lost`);
	},
	300_000,
);
