/** @module-tag slow */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { query } from "../../../bench/harness/postgres-cluster.ts";
import { kind } from "../../given/kind.ts";
import { connect } from "../../read-rows.ts";
import { fractions, seed } from "../chance.ts";
import { killCommand } from "../kills.ts";
import { openDesk } from "../operator/desk.ts";
import { usePostgres } from "../waitlist/databases.ts";

const KILLS = 6;
const LINES = 60_000;

/** Lines of one transaction of an import. */
const BATCH = 2000;

const cluster = usePostgres();

it.each([kind])(
	`an import on %s leaves whole batches at each of ${KILLS} SIGKILLs, and adds the rest when repeated (seed ${seed})`,
	async (kind) => {
		const { folder, env, json, add } = await openDesk(kind, cluster());
		// The first of the first batch, so that there is something to look into.
		await add("person-0@example.com");
		// 7919 is prime: the addresses come in an order far from that of their keys.
		const lines = Array.from({ length: LINES }, (_, n) => {
			return `person-${(n * 7919) % LINES}@example.com,2026-01-02T03:04:05.678Z`;
		});
		await writeFile(join(folder, "people.csv"), ["email,confirmedAt", ...lines].join("\n"));
		const count = async (table: string): Promise<number> => {
			const sql = `SELECT count(*) AS n FROM ${table}`;
			if (kind === "PostgreSQL")
				return Number((await query<{ n: string }>(env.DATABASE_URL!, sql))[0]!.n);
			const connection = connect(join(folder, "data/waitlist.db"));
			const { n } = connection.prepare(sql).get() as { n: number };
			connection.close();
			return n;
		};
		const chance = fractions(seed);
		let kept = 1;
		for (let kill = 1; kill <= KILLS; kill++) {
			const until = Math.min(kept + chance.next().value * (LINES / KILLS), LINES - 2 * BATCH);
			const isAtWork = async () => (await count("registration")) > until;
			await killCommand({ folder, env }, ["import", "people.csv"], isAtWork);
			const people = await count("registration");
			// Nobody is there without what their line says of letters.
			expect({ left: people % BATCH, known: await count("recipient") }).toEqual({
				left: 0,
				known: people,
			});
			expect(people).toBeGreaterThan(until);
			kept = people;
		}
		const last = await json("import people.csv");
		expect(last).toMatchObject({ added: LINES - kept, duplicates: kept, refused: 0 });
		expect([await count("registration"), await count("recipient")]).toEqual([LINES, LINES]);
	},
);
