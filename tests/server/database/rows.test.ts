import { expect, it } from "vitest";
import { openDatabase } from "../../../src/server/database/open-database.ts";
import { asJson, rowsOfTable } from "../../../src/server/database/rows.ts";
import { placeOf, usePostgres } from "../registrations/databases.ts";

const cluster = usePostgres();

/** Every character that both databases store, in texts of 1,000. */
const texts = Array.from({ length: 66 }, (_, n) =>
	Array.from({ length: 1000 }, (_, unit) => String.fromCharCode(1000 * n + unit))
		.filter((character) => character !== "\0" && /^\P{Cs}$/u.test(character))
		.join(""),
);
const wording = {
	name: "wording",
	columns: ["version", "kind", "said", "leads_to", "kept_at"],
	key: ["kind", "version"],
};

it("a row is the same JSON from both databases, and each row comes once", async () => {
	const read = [];
	for (const kind of ["SQLite", "PostgreSQL"] as const) {
		const { settings } = await placeOf(kind, cluster());
		const database = await openDatabase(settings, { create: true });
		const insert = "INSERT INTO wording VALUES ($1, $2, $3, '', '')";
		await database.transaction(async (query) => {
			// More than two pages.
			for (let n = 0; n < 2200; n++) {
				await query(insert, [`v${n}`, n % 2 ? "form" : "page", texts[n % texts.length]!]);
			}
		});
		const pages = [];
		for await (const page of rowsOfTable(database.query, database.dialect, wording))
			pages.push(page);
		await database.close();
		expect(pages.map(({ length }) => length)).toEqual([1000, 1000, 200]);
		read.push(pages.map(asJson));
	}
	expect(read[0]).toEqual(read[1]);
	const rows = read[0]!.flatMap((page) => JSON.parse(page) as string[][]);
	expect(new Set(rows.map(([version]) => version)).size).toBe(2200);
	for (const [version, , said] of rows) {
		expect(said).toBe(texts[Number(version!.slice(1)) % texts.length]);
	}
});
