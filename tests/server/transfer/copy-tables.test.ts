import { join } from "node:path";
import { expect, it } from "vitest";
import type { Database } from "../../../src/server/database/database.ts";
import { openDatabase } from "../../../src/server/database/open-database.ts";
import { readSettings } from "../../../src/server/settings.ts";
import { backUp } from "../../../src/server/transfer/backup.ts";
import { given } from "../../given/given.ts";
import { temporaryFolder } from "../../temporary.ts";

it("makes no backup of a row that the file keeps otherwise than it was read", async () => {
	const folder = await temporaryFolder();
	const settings = readSettings({}, folder);
	const opened = await openDatabase(settings.database, { create: true });
	const days = { "2026-11-01": 41, "2026-11-02": 42 };
	await given.visits(
		opened,
		Object.entries(days).map(([day, visits]) => ({ day, visits })),
	);
	/** Reads of the second day what SQLite's column of numbers cannot keep as it is. */
	const readings = (read: string) => ({
		...opened,
		place: "here",
		copyInto: undefined,
		snapshot: <Result>(work: (query: Database["query"]) => Promise<Result>) =>
			opened.snapshot((query) =>
				work(async <Row extends object>(sql: string, parameters?: readonly (string | number)[]) => {
					const rows = await query<Row>(sql, parameters);
					return JSON.parse(JSON.stringify(rows).replace(",42]", `,${read}]`)) as Row[];
				}),
			),
	});
	const progress = { show() {}, end() {} };
	const make = (name: string, read: string) => {
		const operation = { database: readings(read), settings, now: new Date(), progress };
		return backUp(operation as never, join(folder, name));
	};
	await expect(make("right.db", "42")).resolves.toMatchObject({ rows: 0 });
	await expect(make("wrong.db", '\\"042\\"')).rejects.toThrow(
		"The backup differs from here: visit_day has 2 rows instead of 2, or others.",
	);
	await opened.close();
});
