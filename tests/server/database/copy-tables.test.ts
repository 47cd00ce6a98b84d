import { expect, it } from "vitest";
import { clearTables, copyTables } from "../../../src/server/database/copy-tables.ts";
import { openDatabase } from "../../../src/server/database/open-database.ts";
import { sql } from "../../../src/server/database/sql.ts";
import { addRows, readRows } from "../../given/rows.ts";
import { createTestDatabase } from "../registrations/databases.ts";

/** All characters that both databases can store, in strings of 1,000. */
const texts = Array.from({ length: 66 }, (_, n) =>
	Array.from({ length: 1000 }, (_, unit) => String.fromCharCode(1000 * n + unit))
		.filter((character) => character !== "\0" && /^\P{Cs}$/u.test(character))
		.join(""),
);

it("copies every character and page to the other database and back, and counts", async () => {
	const open = async (kind: "SQLite" | "PostgreSQL") =>
		openDatabase((await createTestDatabase(kind)).settings, { create: true });
	const [first, second, third] = [
		await open("SQLite"),
		await open("PostgreSQL"),
		await open("SQLite"),
	] as const;
	// The copy reads 1,000 rows at a time, so 2,200 rows take three reads.
	const wordings = Array.from({ length: 2200 }, (_, n) => ({
		version: `v${n}`,
		said: texts[n % texts.length]!,
	}));
	await addRows(first, "wordings", wordings);
	await addRows(first, "visits", [{ day: "2026-11-01", visits: 2 ** 31 - 1 }]);
	for (const [from, to] of [[first, second] as const, [second, third] as const]) {
		const counts = await to.transact((tx) => copyTables(from, tx), undefined);
		expect(counts).toMatchObject({ wording: 2200, visit_day: 1, registration: 0 });
	}
	const copied = await readRows(third, "wordings");
	expect(JSON.stringify(copied) === JSON.stringify(await readRows(first, "wordings"))).toBe(true);
	expect(await readRows(third, "visits")).toMatchObject([{ visits: 2 ** 31 - 1 }]);
	await third.transact(async (tx) => {
		await clearTables(tx);
		await tx.all(sql`INSERT INTO visit_day VALUES ('2026-11-02', 1)`);
		await expect(copyTables(second, tx)).rejects.toThrow(
			/^The copy of visit_day has 2 rows instead of 1\.$/,
		);
	}, undefined);
	for (const database of [first, second, third]) await database.close();
});
