import { readdir, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { kind } from "../../given/kind.ts";
import { openSqliteFile } from "../../read-rows.ts";
import { startServer, stopServer } from "../../server-process.ts";
import { failureOf, openCommandSetup, runCommand } from "../commands/command-setup.ts";
import { openEmailSetup, openOtherDatabase } from "../commands/email-setup.ts";

it(`a backup on ${kind} is one file, readable only by its owner, overwrites nothing, and names what else a restore needs`, async () => {
	const { folder, env, json, run, add } = await openCommandSetup(kind);
	await add("ada@example.com", "bob@example.com");
	await json("delete bob@example.com");
	const made = await json("backup list.db");
	expect(made).toEqual({
		file: "list.db",
		rows: expect.objectContaining({ registration: 1, email: 0, suppression: 1 }),
		key: expect.stringMatching(/^[0-9a-f]{32}$/),
	});
	expect((await stat(join(folder, "list.db"))).mode & 0o777).toBe(0o600);
	expect((await run("backup list.db")).stderr).toBe(
		"list.db already exists. Choose another name.\n",
	);
	const file = join(folder, "data/waitlist.db");
	const { stdout } = await run("backup again.db");
	expect(stdout).toContain("1 person and 0 emails in again.db, checked.\n");
	expect(stdout).toContain(
		`the key in ${kind === "SQLite" ? `${file}.key` : "WAITLIST_SECRET"} (fingerprint ${made.key})`,
	);
	expect(stdout).toContain(env.WAITLIST_SUPPRESSION_FILE ?? `${file}.suppressions`);
});

it(`a backup on ${kind} is not restored if damaged or not a backup, and nothing changes`, async () => {
	const { folder, run, add, json } = await openCommandSetup("SQLite");
	await add("ada@example.com");
	await json("backup list.db");
	const flipped = await readFile(join(folder, "list.db"));
	flipped[flipped.indexOf("ada@example.com") + 2]! ^= 1;
	await writeFile(join(folder, "flipped.db"), flipped);
	await writeFile(join(folder, "none.db"), "Dear diary, ".repeat(1000));
	await writeFile(join(folder, "list.db-journal"), "pages of before a crash");
	const foreign = openSqliteFile(join(folder, "foreign.db"));
	foreign.exec("CREATE TABLE contact (name TEXT)");
	foreign.close();
	for (const [file, sentence] of [
		[
			"flipped.db",
			/^flipped\.db is damaged: it does not match the checksum .* waitlist backup <new file>\n$/,
		],
		["none.db", /^The waitlist none\.db cannot be opened: file is not a database\.\n$/],
		[
			"foreign.db",
			/^The waitlist foreign\.db cannot be opened: it belongs to another program\.\n$/,
		],
		["missing.db", /^There is no file missing\.db\.\n$/],
		[
			"list.db",
			/not a backup but a database that is in use .*its latest rows are in list\.db-journal/,
		],
	] as const) {
		expect(await failureOf(run(`restore ${file} --without-file`))).toMatch(sentence);
	}
	const names = (await readdir(join(folder, "data"))).sort();
	expect(names).toEqual(["waitlist.db", "waitlist.db.key", "waitlist.db.suppressions"]);
	expect(await json("stats")).toMatchObject({ total: 1 });
});

it(`a migration from ${kind} requires a stopped server and a database without people`, async () => {
	const setup = await openEmailSetup(kind);
	await setup.add("ada@example.com");
	const { to } = await openOtherDatabase(setup, kind);
	const server = await startServer(setup);
	await expect(setup.migrate(to)).rejects.toThrow(/ is in use: stop (the|every) server, and run/);
	await stopServer(server);
	expect(await setup.migrate(to)).toMatchObject({ rows: { registration: 1 } });
	const env = { ...setup.env, DATABASE_URL: to };
	const exported = await runCommand(setup.folder, ["export", "--format", "jsonl"], { env });
	expect(exported.stdout).toBe((await setup.run("export --format jsonl")).stdout);
	if (kind === "SQLite") {
		await expect(setup.migrate(to)).rejects.toThrow(/ is not empty: create a new database, /);
	}
});
