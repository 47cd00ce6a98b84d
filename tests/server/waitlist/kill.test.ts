import { expect, it } from "vitest";
import { startServer } from "../../server-process.ts";
import { sized } from "../../sized.ts";
import { seed } from "../chance.ts";
import { startCopies } from "../kills.ts";
import { placeOf, usePostgres } from "./databases.ts";
import { sendVisitors } from "./visitors.ts";

const KILLS = sized(2, 50);

const cluster = usePostgres();

it.each(["SQLite", "PostgreSQL"] as const)(
	`keeps every acknowledged address in %s through ${KILLS} SIGKILLs (seed ${seed})`,
	async (kind) => {
		const { folder, env, emails } = await placeOf(kind, cluster());
		const { running, killOne } = await startCopies(() => startServer({ folder, env }));
		const acknowledged: string[] = [];
		for (let round = 0; round < KILLS; round++) {
			const visitors = sendVisitors(running[0]!.url, 16, `round-${round}`);
			await expect.poll(() => visitors.acknowledged.length, { interval: 1 }).toBeGreaterThan(0);
			await killOne();
			await visitors.stop();
			expect(visitors.broken).toEqual([]);
			acknowledged.push(...visitors.acknowledged);
		}
		const kept = await emails();
		expect(acknowledged.filter((email) => !kept.has(email))).toEqual([]);
		expect(acknowledged.length).toBeGreaterThanOrEqual(KILLS);
		console.log(`${kind}: ${KILLS} kills, ${acknowledged.length} acknowledged, none lost`);
	},
);
