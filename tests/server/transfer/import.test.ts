/** @module-tag nodes */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { openDatabase } from "../../../src/server/database/open-database.ts";
import { sql, type Tx } from "../../../src/server/database/sql.ts";
import { given, readPeople } from "../../given/given.ts";
import { kind } from "../../given/kind.ts";
import { failureOf, openCommandSetup, parsePeople } from "../commands/command-setup.ts";

it(`import on ${kind} applies the site's rules, and lists each rejected line with its reason`, async () => {
	const { run, json, add } = await openCommandSetup(kind);
	await add("ada@example.com");
	await json("delete ada@example.com");
	const { code, stdout } = await run(
		"import - --format csv",
		[
			"\ufeffSource,Email,joined",
			'fair,"Bob@Example.com",2026-01-02',
			"fair,bob@example.com,2026-01-03",
			"fair,nobody,2026-01-02",
			',carol@example.com,"2026-01-02T03:04:05+01:00"',
			"fair,dan@example.com,yesterday",
			`${"x".repeat(65)},erin@example.com,`,
			"fair,ada@example.com,",
			'fair,"multi\nline",',
			"fair,,",
		].join("\r\n"),
	);
	expect(code).toBe(1);
	expect(stdout.split("\n")).toEqual([
		"2 added, 1 already on the list, 6 rejected",
		'  line 4, email: expected an email address: "nobody"',
		'  line 6, joinedAt: expected a date or time: "yesterday"',
		`  line 7, source: expected 1 to 64 printable characters: "${"x".repeat(65)}"`,
		expect.stringMatching(/^ {2}line 8, email: deleted on \d{4}-.* UTC: "ada@example\.com"$/),
		'  line 10, email: expected an email address: "multi\\nline"',
		'  line 11, email: expected an email address: ""',
		"",
	]);
	expect(await json("find carol@example.com")).toMatchObject({
		registration: { source: "import", joinedAt: "2026-01-02T02:04:05.000Z", terms: "" },
	});
	expect(await json("find bob@example.com")).toMatchObject({
		registration: { email: "Bob@Example.com", joinedAt: "2026-01-02T00:00:00.000Z" },
	});
});

it(`import on ${kind} refuses hostile, unstorable and future fields with their line number`, async () => {
	const { run, json } = await openCommandSetup(kind);
	const lines = [
		'{"email":"ada@example.com","terms":"2026-11-01"}',
		'{"email":{"toString":1}}',
		'{"__proto__":{"email":"proto@example.com"}}',
		`{"email":"deep@example.com","source":${"[".repeat(20_000)}${"]".repeat(20_000)}}`,
		'{"email":"number@example.com","terms":7}',
		'{"email":"nul@example.com","terms":"a\\u0000b"}',
		'{"email":"half@example.com","terms":"\\ud800"}',
		'{"email":"late@example.com","joinedAt":"2999-01-01"}',
		'{"email":"eve@example.com","flag":"honeypot"}',
	];
	const { code, stdout, stderr } = await run("import - --format jsonl", lines.join("\n"));
	expect({ code, stderr }).toEqual({ code: 1, stderr: "" });
	expect(stdout.trimEnd().split("\n")).toEqual([
		"2 added, 0 already on the list, 7 rejected",
		'  line 2, email: expected text: "{…}"',
		'  line 3, email: expected an email address: ""',
		'  line 4, source: expected text: "{…}"',
		'  line 5, terms: expected text: "7"',
		'  line 6, terms: expected text in UTF-8: "a\\u0000b"',
		'  line 7, terms: expected text in UTF-8: "\\ud800"',
		'  line 8, joinedAt: expected a past time: "2999-01-01"',
		'Ignored columns: "__proto__"',
	]);
	expect(await json("stats")).toMatchObject({ total: 2, flags: [{ count: 1 }] });
});

it(`import on ${kind} reports where a broken file stopped it and what was added, and adds the rest next time`, async () => {
	const { run, json } = await openCommandSetup(kind);
	const lines = ["email", ...Array.from({ length: 17_000 }, (_, n) => `visitor-${n}@example.com`)];
	const broken = lines.with(16_001, 'bro"ken@example.com');
	expect(await failureOf(run("import - --format csv", broken.join("\n")))).toBe(
		"The import stopped: line 16002 has a misplaced or unclosed quotation mark.\n" +
			"Before that: 16000 added, 0 already on the list, 0 rejected. " +
			"Fix this, then import the file again: no one is added twice.\n",
	);
	expect(await json("stats")).toMatchObject({ total: 16_000 });
	expect(await json("import - --format csv", lines.join("\n"))).toMatchObject({
		added: 1000,
		duplicates: 16_000,
	});
});

it("import adds no emails for a person deleted while it runs on PostgreSQL", {
	tags: "slow",
}, async () => {
	const { settings, json, run } = await openCommandSetup("PostgreSQL");
	await json("import - --format text", "ada@example.com\ngone@example.com\nvisitor@example.com");
	await json("delete gone@example.com");
	const database = await openDatabase(settings, { create: false });
	const time = "2026-01-02T00:00:00Z";
	const people = `email,confirmedAt\nada@example.com,${time}\nvisitor@example.com,${time}`;
	let imported: ReturnType<typeof run> | undefined;
	let erased: ReturnType<typeof run> | undefined;
	await expect(
		database.transact(async (tx) => {
			await given.person(tx, { email: "ada@example.com", id: "x" });
			imported = run("import - --format csv", people);
			await expect.poll(() => waiting(database)).toBe(1);
			erased = run("delete visitor@example.com");
			await Promise.race([erased, expect.poll(() => waiting(database)).toBe(2)]);
			throw new Error("taken back");
		}, undefined),
	).rejects.toThrow("taken back");
	expect(await imported).toMatchObject({ code: 0 });
	expect(await erased).toMatchObject({ code: 0 });
	expect(await readPeople(database)).toMatchObject([{ key: "ada@example.com" }]);
	await database.close();
});

async function waiting(tx: Tx): Promise<number> {
	const [row] = await tx.all(sql<{
		count: number;
	}>`SELECT CAST(count(*) AS INTEGER) AS count FROM pg_stat_activity
		WHERE datname = current_database() AND wait_event_type = 'Lock'`);
	return row!.count;
}

it("import reads the exports of other tools", async () => {
	const { folder, json, run } = await openCommandSetup("SQLite");
	const rows = (header: string, separator: string, n: number) =>
		`${header}\r\n"Ada, the first"${separator}"ada-${n}@example.com"\r\n\r\nBob${separator}bob-${n}@example.com\r\n`;
	const files = [
		// Mailchimp's header, and one with an underscore after a byte order mark.
		rows("Name,Email Address", ",", 0),
		`\ufeff${rows("name,email_address", ",", 1)}`,
		// German spreadsheets, tabs in UTF-16, and all kinds of line breaks.
		rows('"Name";"E-Mail-Adresse"', ";", 2),
		Buffer.from(`\ufeff${rows("Name\tEmail", "\t", 3)}`, "utf16le"),
		"\n email \r\nada-4@example.com\n\rbob-4@example.com\r",
		// Big-endian UTF-16, UTF-16 without a byte order mark, and a line that names the separator.
		Buffer.from(`\ufeff${rows("Name\tEmail", "\t", 5)}`, "utf16le").swap16(),
		Buffer.from(rows("Name\tEmail", "\t", 6), "utf16le").swap16(),
		`\ufeff${rows("sep=;\r\nName;Email", ";", 7)}`,
	];
	for (const content of files) {
		await writeFile(join(folder, "people.csv"), content);
		expect(await json("import people.csv")).toMatchObject({ added: 2, refused: 0, lines: [] });
	}
	const { stdout } = await run("export");
	const names = files.flatMap((_, n) => [`ada-${n}@example.com`, `bob-${n}@example.com`]);
	expect(stdout.match(/^\w+-\d+@example\.com/gm)?.sort()).toEqual(names.sort());
});

it('import keeps every "no" to email, whatever its column', async () => {
	const { json, run } = await openCommandSetup("SQLite");
	const time = "2026-01-02 03:04:05";
	const files = [
		["unsubscribedAt", "Email,First name,Status", ",Ada,unsubscribed"],
		["unsubscribedAt", "Email Address,UNSUB_TIME,UNSUB_REASON", `,${time},too much`],
		["bouncedAt", "Email Address,CLEAN_TIME", `,${time}`],
		["bouncedAt", "email,subscription_status", ",BOUNCED"],
		["unsubscribedAt", "Email,Accepts Email Marketing", ",no"],
		["unsubscribedAt", "email,status,left,confirmedAt", ",unsubscribed,2026-01-02,2026-02-03"],
		["unsubscribedAt", '{"subscribed":false,'],
		["", "email,Status,unsubscribed_at,bounced", ",active,,no"],
		["", "email,subscribed,Opted out", ",2026-01-02,FALSE"],
	] as const;
	const addressOf = (n: number) => `person-${10 + n}@example.com`;
	await json("import - --format text", files.map((_, n) => addressOf(n)).join("\n"));
	for (const [n, [, start, cells]] of files.entries()) {
		const email = addressOf(n);
		if (cells) await json("import - --format csv", `${start}\n${email}${cells}`);
		else await json("import - --format jsonl", `${start}"email":"${email}"}`);
	}
	const people = parsePeople((await run("export --format jsonl")).stdout);
	people.sort((a, b) => (a.email! < b.email! ? -1 : 1));
	expect(
		people.map((person) =>
			person.unsubscribedAt ? "unsubscribedAt" : person.bouncedAt && "bouncedAt",
		),
	).toEqual(files.map(([field]) => field));
	expect([people[1]!.unsubscribedAt, people[2]!.bouncedAt]).toEqual(
		Array(2).fill("2026-01-02T03:04:05.000Z"),
	);
});

it.each([
	["Status", "Kunde", "subscribed, unsubscribed or bounced"],
	["leftAt", "2999-01-01", "yes, no or a past time, such as 2026-11-21 09:30"],
])('import stops at an unknown value in %s, which may be a "no"', async (column, cell, words) => {
	const { json, run } = await openCommandSetup("SQLite");
	const csv = `email,${column}\nbob@example.com,\nada@example.com,${cell}\neve@example.com,`;
	const stderr = await failureOf(run("import - --format csv", csv));
	expect(stderr).toContain(`line 3: "${column}" is "${cell}", which may mean no email`);
	expect(stderr).toContain(`Write ${words} there`);
	expect(stderr).toContain("\nBefore that: 1 added, ");
	expect(await json("stats")).toMatchObject({ total: 1 });
});

it("import reads names around addresses, and skips a spreadsheet's empty rows", async () => {
	const { run, json } = await openCommandSetup("SQLite");
	const csv = "Email;Name\nAda <ada@example.com>;Ada\n;\n ; \n;;;\n";
	const lines = '"Lovelace, Bob" <bob@example.com>\n<eve@example.com>\n';
	expect(await json("import - --format csv", csv)).toMatchObject({ added: 1, refused: 0 });
	expect(await json("import - --format text", lines)).toMatchObject({ added: 2, refused: 0 });
	const two = "Ada <ada@example.com>, Carl <carl@example.com>";
	expect((await run("import -", two)).stdout).toContain("  line 1, email: ");
	expect((await run("export")).stdout).toMatch(/^ada@.*\r\nbob@.*\r\neve@/m);
});

it.each([
	["no column for the address", "name\nada", /^The import stopped: .*must name a column "email"/],
	["a line without end", `email\n${"x".repeat(1_100_000)}`, /: line 2 /],
])("import stops with a sentence at a file with %s", async (_, content, sentence) => {
	const { run } = await openCommandSetup("SQLite");
	const stderr = await failureOf(run("import - --format csv", content));
	expect(stderr).toMatch(sentence);
	expect(stderr).not.toContain("    at ");
});
