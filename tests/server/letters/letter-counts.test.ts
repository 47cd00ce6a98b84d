import { expect, it, onTestFinished } from "vitest";
import { openDatabase } from "../../../src/server/database/open-database.ts";
import { countByState } from "../../../src/server/letters/table/letter-counts.ts";
import { type DatabaseKind, placeOf, usePostgres } from "../waitlist/databases.ts";

const cluster = usePostgres();

it.each<DatabaseKind>(["SQLite", "PostgreSQL"])(
	"counts each letter once, whatever it waits for, on %s",
	async (kind) => {
		const { settings } = await placeOf(kind, cluster());
		const database = await openDatabase(settings, { create: true });
		onTestFinished(() => database.close());
		const values: string[] = [];
		for (const state of ["waiting", "sending", "accepted", "deferred", "refused", "unknown"])
			for (const [kind, wave] of [
				["confirm", ""],
				["invitation", "beta-1"],
				["news", "may"],
			])
				for (const held of [0, 1, 2, 3])
					for (const unconfirmed of [0, 1])
						for (let n = -1; n < values.length % 3; n++)
							values.push(
								`('${kind}', '${wave}', 'p${values.length}', '${state}', ${held}, ${unconfirmed}, '2026', '2026')`,
							);
		await database.query(
			`INSERT INTO letter (kind, wave, email_key, state, held, unconfirmed, asked_at, next_at)
			VALUES ${values.join(", ")}`,
		);
		await database.query("UPDATE letter SET reason = 'cancelled' WHERE wave = 'may' AND held < 2");
		expect(await countByState(database.query)).toEqual(
			await database.query(
				`SELECT kind, CASE WHEN state = 'refused' THEN COALESCE(NULLIF(reason, ''), state) ELSE state END AS state,
					CAST(count(*) AS INTEGER) AS count FROM letter GROUP BY 1, 2 ORDER BY 1, 2`,
			),
		);
	},
);
