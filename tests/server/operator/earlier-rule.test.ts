import { createHmac } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { connect } from "../../read-rows.ts";
import { usePostgres } from "../waitlist/databases.ts";
import { openDeskWithPeople } from "./desk.ts";

const cluster = usePostgres();

/** A desk on SQLite, and its rows as an earlier rule for addresses could have left them. */
async function openOldDesk() {
	const desk = await openDeskWithPeople("SQLite", cluster());
	const file = join(desk.folder, "data/waitlist.db");
	const change = (sql: string, ...values: string[]) => {
		const connection = connect(file);
		connection.prepare(sql).run(...values);
		connection.close();
	};
	return { ...desk, file, change };
}

it.each([`${"a".repeat(70)}@example.com`, "a\ue000@example.com", "\u0301a@example.com"])(
	"finds and erases an address that today's rule refuses, named to the letter: %j",
	async (refused) => {
		const { change, json, run } = await openOldDesk();
		expect(await run(`find ${refused}`)).toMatchObject({ code: 1 });
		const sql = "UPDATE registration SET email_key = ?, email = ? WHERE source = 'fair'";
		change(sql, refused, refused);
		expect(await json(`find ${refused}`)).toMatchObject({ registration: { email: refused } });
		const erased = { receipts: [{ email: refused }], notFound: [] };
		expect(await json(`erase ${refused}`)).toMatchObject(erased);
		expect(await json("stats")).toMatchObject({ total: 2 });
	},
);

it("an address stays erased whose proof is of the key that it had before keys were folded", async () => {
	const { change, file, json, run } = await openOldDesk();
	await json("erase bob@example.com");
	const secret = (await readFile(`${file}.erasure-key`, "utf8")).trim();
	const code = createHmac("sha256", secret).update("οδος@example.gr").digest("hex");
	change("INSERT INTO erasure VALUES (?, '2026-11-21T00:00:00.000Z', 'on request')", code);
	const line = '{"email":"Οδος@example.gr","createdAt":"2026-11-20T00:00:00.000Z"}';
	expect(await run("import - --format jsonl", line)).toMatchObject({
		code: 1,
		stdout: expect.stringContaining("erased on 2026-11-21"),
	});
});
