import { expect, it } from "vitest";
import { query } from "../../../bench/harness/postgres-cluster.ts";
import { postgres, sqlite } from "../../../src/server/database/dialect.ts";
import { tables } from "../../../src/server/database/schema.ts";
import { steps } from "../../../src/server/database/schema-steps.ts";
import { DatabaseSync } from "../../../src/server/database/sqlite/connection.ts";
import { usePostgres } from "../waitlist/databases.ts";

const cluster = usePostgres();

/** The same SQL but for its spaces. */
const oneLine = (sql: unknown) => String(sql).replace(/\s+/g, " ");

it("the steps lead to the tables as they are now, on SQLite", () => {
	const schemaOf = (sql: string) => {
		const database = new DatabaseSync(":memory:");
		database.exec(sql);
		const all = (question: string) => database.prepare(question).all();
		const columns = all(
			`SELECT tables.name AS "table", columns.* FROM sqlite_schema AS tables
			JOIN pragma_table_xinfo(tables.name) AS columns WHERE tables.type = 'table' ORDER BY 1, 2`,
		);
		const indexes = all("SELECT name, sql FROM sqlite_schema WHERE type = 'index' ORDER BY name");
		database.close();
		return { columns, indexes: indexes.map(({ name, sql }) => [name, oneLine(sql)]) };
	};
	const now = schemaOf(tables(sqlite));
	expect(now.columns.length).toBeGreaterThan(50);
	expect(schemaOf(steps.map((step) => step(sqlite)).join(""))).toEqual(now);
});

it("the steps lead to the tables as they are now, on PostgreSQL", async () => {
	const schemaOf = async (sql: string) => {
		const url = await cluster().createDatabase();
		await query(url, sql);
		return {
			columns: await query(
				url,
				`SELECT table_name, ordinal_position, column_name, data_type, collation_name, is_nullable,
					column_default FROM information_schema.columns
				WHERE table_schema = 'public' ORDER BY 1, 2`,
			),
			indexes: await query(
				url,
				"SELECT indexdef FROM pg_indexes WHERE schemaname = 'public' ORDER BY 1",
			),
		};
	};
	const now = await schemaOf(tables(postgres));
	expect(now.columns.length).toBeGreaterThan(50);
	expect(await schemaOf(steps.map((step) => step(postgres)).join(""))).toEqual(now);
});
