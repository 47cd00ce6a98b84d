import { connect } from "../read-rows.ts";

/** What no backup of ours holds. */
const CRAFTED = {
	"an endless view": `DROP TABLE registration;
		CREATE VIEW registration AS WITH RECURSIVE endless (n) AS (
			SELECT 1 UNION ALL SELECT n + 1 FROM endless
		) SELECT n || '@example.com' AS email_key, n || '@example.com' AS email, 'fair' AS source,
			'2026-01-01T00:00:00.000Z' AS created_at, '' AS terms, '' AS flags FROM endless`,
	"a virtual table": "CREATE VIRTUAL TABLE other USING fts5(text)",
	"a trigger": `CREATE TRIGGER other AFTER DELETE ON wave BEGIN DELETE FROM registration; END`,
};

export const crafts = Object.keys(CRAFTED) as (keyof typeof CRAFTED)[];

/** Puts something into a backup, and takes its checksum away. */
export function craftBackup(file: string, craft: keyof typeof CRAFTED): void {
	const connection = connect(file);
	connection.exec(`${CRAFTED[craft]}; PRAGMA application_id = 0`);
	connection.close();
}
