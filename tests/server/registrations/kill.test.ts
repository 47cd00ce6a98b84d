import { expect, it } from "vitest";
import { startServer } from "../../server-process.ts";
import { seed } from "../chance.ts";
import { startCopies } from "../kills.ts";
import { placeOf } from "./databases.ts";
import { sendVisitors } from "./visitors.ts";

const runs = (["SQLite", "PostgreSQL"] as const).flatMap((kind) => [
	{ kind, kills: 2, tags: [] },
	{ kind, kills: 30, tags: ["slow"] },
]);

for (const { kind, kills, tags } of runs) {
	it(`keeps every acknowledged address in ${kind} through ${kills} SIGKILLs (seed ${seed})`, {
		tags,
	}, async () => {
		const { folder, env, emails } = await placeOf(kind);
		const { running, killOne } = await startCopies(() => startServer({ folder, env }));
		const acknowledged: string[] = [];
		for (let round = 0; round < kills; round++) {
			const visitors = sendVisitors(running[0]!.url, 16, `round-${round}`);
			await expect.poll(() => visitors.acknowledged.length, { interval: 1 }).toBeGreaterThan(0);
			await killOne();
			await visitors.stop();
			expect(visitors.broken).toEqual([]);
			acknowledged.push(...visitors.acknowledged);
		}
		const kept = await emails();
		expect(acknowledged.filter((email) => !kept.has(email))).toEqual([]);
		expect(acknowledged.length).toBeGreaterThanOrEqual(kills);
		console.log(`${kind}: ${kills} kills, ${acknowledged.length} acknowledged, none lost`);
	});
}
