import { mkdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { openDatabase } from "../../../../src/server/database/open-database.ts";
import { connect } from "../../../read-rows.ts";
import { temporaryFolder } from "../../../temporary.ts";

/** Makes a folder with a waitlist of so many registrations over the last hundred days. */
export async function openFull(rows: number): Promise<{ folder: string; file: string }> {
	const folder = await temporaryFolder();
	const file = join(folder, "data/waitlist.db");
	await fill(file, rows);
	return { folder, file };
}

/** Makes a waitlist of so many registrations over the last hundred days, with so many proofs. */
export async function fill(file: string, rows: number, proofs = 0): Promise<void> {
	await mkdir(dirname(file), { recursive: true });
	const database = await openDatabase({ kind: "sqlite", file }, { create: true });
	await database.close();
	const connection = connect(file);
	connection.exec(`
		INSERT INTO registration (email_key, email, source, created_at, terms, flags)
		WITH RECURSIVE n(n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM n WHERE n < ${rows - 1})
		SELECT format('visitor-%d@example.com', n * 7919 % ${rows}), format('Visitor-%d@Example.com', n * 7919 % ${rows}),
			CASE n % 10 WHEN 0 THEN 'fair' ELSE 'landing-page' END,
			strftime('%Y-%m-%dT%H:%M:%fZ', 'now', format('-%d seconds', 8640000 - n * (8640000 / ${rows}.0))),
			'2026-11-21', CASE n % 100 WHEN 0 THEN 'trap' ELSE '' END
		FROM n;
		INSERT INTO erasure (code, erased_at, reason)
		WITH RECURSIVE n(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n WHERE n < ${proofs})
		SELECT format('%08x%056d', n * 7919 % 2147483647, n), '2026-01-01T00:00:00.000Z', 'retention'
		FROM n WHERE ${proofs} > 0`);
	connection.close();
}
