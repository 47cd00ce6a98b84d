import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { connect } from "../../read-rows.ts";
import { postEmail, startServer } from "../../server-process.ts";
import { temporaryFolder } from "../../temporary.ts";
import { runCommand } from "./desk.ts";

/** Transactions of an import, of so many lines each. */
const BATCHES = 24;
const BATCH = 2000;

/** Visitors who join one after the other, so that somebody always waits. */
const VISITORS = 8;

it("a command that writes to SQLite lets joins in between its transactions, though each is free to be next", async () => {
	const folder = await temporaryFolder();
	const limits = { WAITLIST_ADDRESS_LIMIT: "0", WAITLIST_NETWORK_LIMIT: "0" };
	const { url, file } = await startServer({ folder, env: limits });
	const lines = Array.from({ length: BATCHES * BATCH }, (_, n) => `import-${n}@example.com`);
	await writeFile(join(folder, "people.txt"), lines.join("\n"));
	let working = true;
	const statuses = new Set<number>();
	const visiting = Array.from({ length: VISITORS }, async (_, visitor) => {
		for (let n = 0; working; n++) {
			statuses.add((await postEmail(url, `visitor-${visitor}-${n}@example.com`)).status);
		}
	});
	const imported = await runCommand(folder, ["import", "people.txt"]);
	working = false;
	await Promise.all(visiting);
	expect(imported).toMatchObject({ code: 0 });
	expect([...statuses]).toEqual([201]);
	// Rows are numbered in the order in which they were committed.
	const connection = connect(file);
	const turns = connection
		.prepare(
			`SELECT count(*) AS n FROM registration AS joined WHERE source <> 'import' AND EXISTS (
				SELECT 1 FROM registration AS before
				WHERE before.rowid = joined.rowid - 1 AND before.source = 'import'
			)`,
		)
		.get() as { n: number };
	connection.close();
	console.log(`${turns.n} turns of joins in ${BATCHES} transactions`);
	expect(turns.n).toBeGreaterThan((BATCHES * 3) / 4);
});
