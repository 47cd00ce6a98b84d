/** @module-tag slow */
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
	/** The code of a key in a proof of erasure, of which there is one already. */
	const codeOf = async (key: string) => {
		const secret = (await readFile(`${file}.erasure-key`, "utf8")).trim();
		return createHmac("sha256", secret).update(key).digest("hex");
	};
	return { ...desk, change, codeOf };
}

it.each([
	`${"a".repeat(70)}@example.com`,
	"a\ue000@example.com",
	"\u0301a@example.com",
	'"quo"@example.com',
])(
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
	const { change, codeOf, json, run } = await openOldDesk();
	await json("erase bob@example.com");
	const code = await codeOf("οδος@example.gr");
	change("INSERT INTO erasure VALUES (?, '2026-11-21T00:00:00.000Z', 'on request')", code);
	const line = '{"email":"Οδος@example.gr","createdAt":"2026-11-20T00:00:00.000Z"}';
	expect(await run("import - --format jsonl", line)).toMatchObject({
		code: 1,
		stdout: expect.stringContaining("erased on 2026-11-21"),
	});
});

it("of two proofs of an address, by its earlier and today's key, the later one counts", async () => {
	const { change, codeOf, json, run } = await openOldDesk();
	await json("erase bob@example.com");
	const codes = await Promise.all(["οδος@example.gr", "οδοσ@example.gr"].map(codeOf));
	// The database gives the smaller code first.
	const [smaller, larger] = codes.sort() as [string, string];
	const insert = (day: string) =>
		`INSERT INTO erasure VALUES (?, '2026-01-${day}T00:00:00.000Z', 'on request')`;
	change(insert("03"), smaller);
	change(insert("01"), larger);
	const line = '{"email":"Οδος@example.gr","createdAt":"2026-01-02T00:00:00.000Z"}';
	expect(await run("import - --format jsonl", line)).toMatchObject({
		code: 1,
		stdout: expect.stringContaining("erased on 2026-01-03"),
	});
});
