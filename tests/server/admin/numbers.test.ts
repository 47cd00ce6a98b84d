import { describe, expect, it, onTestFinished } from "vitest";
import { niceAbove, runningSums } from "../../../src/server/admin/today/charts.ts";
import { readToday } from "../../../src/server/admin/today/numbers.ts";
import { openDatabase } from "../../../src/server/database/open-database.ts";
import type { Query } from "../../../src/server/database/statement.ts";
import { countUnwanted } from "../../../src/server/mail/emails/letter-counts.ts";
import { readUnknown } from "../../../src/server/mail/emails/letters.ts";
import { readLetters } from "../../../src/server/mail/emails/overview.ts";
import { latestRegistrations } from "../../../src/server/registrations/registrations.ts";
import { given } from "../../given/given.ts";
import { type DatabaseKind, placeOf, usePostgres } from "../registrations/databases.ts";

const cluster = usePostgres();

/** Where a database says that it reads a table of people or letters from one end to the other. */
const READS_ALL = {
	SQLite: /SCAN (?:registration|recipient|letter)(?! USING (?:COVERING )?INDEX)/,
	PostgreSQL: /Seq Scan on (?:registration|recipient|letter)/,
};

describe.each<DatabaseKind>(["SQLite", "PostgreSQL"])("on %s", (kind) => {
	it("an index answers each question of the first screen and of letters", async () => {
		const { settings } = await placeOf(kind, cluster());
		const database = await openDatabase(settings, { create: true });
		onTestFinished(() => database.close());
		await given.wave(database);
		await given.email(database);
		// PostgreSQL reads a small table rather than its index, unless it may not.
		if (kind === "PostgreSQL") await database.query("SET enable_seqscan = off");
		const explain = kind === "SQLite" ? "EXPLAIN QUERY PLAN" : "EXPLAIN";
		const plans: string[] = [];
		const query: Query = async (sql, parameters) => {
			const plan = await database.query<Record<string, unknown>>(`${explain} ${sql}`, parameters);
			const text = plan.map((row) => Object.values(row).join(" ")).join("\n");
			// Whether there is any letter: it reads one.
			if (!/LIMIT 1$/.test(sql)) plans.push(text);
			return database.query(sql, parameters);
		};
		const { dialect } = database;
		const now = new Date("2026-11-23T12:00:00.000Z");
		await readToday({ query, dialect }, { mail: undefined }, now);
		await latestRegistrations(query, 20);
		await readLetters(query, undefined, now);
		await readUnknown(query, undefined, 100);
		await countUnwanted(query);
		expect(plans.length).toBeGreaterThan(20);
		for (const plan of plans) expect(plan).not.toMatch(READS_ALL[kind]);
	});
});

it("a picture ends at a number that people count in", () => {
	const nice = [0, 1, 2, 3, 5, 7, 10, 11, 59, 61, 999, 1001, 1_000_000].map(niceAbove);
	expect(nice).toEqual([2, 2, 2, 4, 6, 10, 10, 20, 60, 100, 1000, 2000, 1_000_000]);
	expect(runningSums([1, 0, 3])).toEqual([0, 1, 1, 4]);
});
