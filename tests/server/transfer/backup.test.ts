import { execFileSync } from "node:child_process";
import { copyFile, mkdir, readdir, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { EMAIL_INVALID } from "#shared/email.ts";
import { craftBackup, crafts } from "../../given/crafted-backup.ts";
import { given } from "../../given/given.ts";
import { kind } from "../../given/kind.ts";
import { connect } from "../../read-rows.ts";
import { postEmail, startServer } from "../../server-process.ts";
import { openDesk } from "../commands/desk.ts";
import { fill } from "../commands/large/full-list.ts";
import { kill, killCommand } from "../kills.ts";
import { usePostgres } from "../registrations/databases.ts";

const cluster = usePostgres();

describe(`backup and restore on ${kind}`, () => {
	it("backs up into one file, for its owner only, overwrites none, and refuses a damaged one", async () => {
		const { folder, json, run, add } = await openDesk(kind, cluster());
		await add(...Array.from({ length: 3000 }, (_, n) => `visitor-${n}@example.com`));
		const { rows, hash } = await json("backup whole.db");
		expect({ rows, hash }).toEqual({ rows: 3000, hash: expect.stringMatching(/^[0-9a-f]{32}$/) });
		expect((await stat(join(folder, "whole.db"))).mode & 0o777).toBe(0o600);
		expect((await run("backup whole.db")).stderr).toBe(
			"whole.db is already there, and is not overwritten.\n",
		);
		const bytes = await readFile(join(folder, "whole.db"));
		bytes.fill(0x5a, bytes.length >> 1, (bytes.length >> 1) + 20_000);
		await writeFile(join(folder, "damaged.db"), bytes);
		await writeFile(join(folder, "none.db"), "Dear diary, ".repeat(1000));
		expect(await run("restore damaged.db")).toMatchObject({
			code: 1,
			stderr: expect.stringMatching(/damaged|malformed/),
		});
		const none = await run("restore none.db");
		expect(none.stderr).toBe("The waitlist none.db cannot be opened: file is not a database.\n");
		expect((await run("restore missing.db")).stderr).toBe("There is no file missing.db.\n");
		expect(await json("stats")).toMatchObject({ total: 3000 });
	});
});

describe("restore", () => {
	it("refuses an empty file, a foreign database, and a database in use", async () => {
		const { folder, run, add } = await openDesk("SQLite", cluster());
		await writeFile(join(folder, "empty.db"), "");
		const foreign = connect(join(folder, "foreign.db"));
		foreign.exec("CREATE TABLE contact (name TEXT); INSERT INTO contact VALUES ('Ada')");
		foreign.close();
		const used = connect(join(folder, "used.db"));
		used.exec("PRAGMA journal_mode = WAL; CREATE TABLE contact (name TEXT)");
		expect(await run("restore empty.db")).toMatchObject({
			code: 1,
			stderr: "empty.db is empty: it is not a backup.\n",
		});
		expect(await run("restore foreign.db --without-proofs")).toMatchObject({
			code: 1,
			stderr: "The waitlist foreign.db cannot be opened: it is the database of another program.\n",
		});
		const inUse = await run("restore used.db");
		expect(inUse).toMatchObject({ code: 1 });
		expect(inUse.stderr).toMatch(/not a backup but a database in use.* waitlist backup <new file>/);
		used.close();

		await add("ada@example.com");
		expect((await run("backup whole.db")).code).toBe(0);
		await writeFile(join(folder, "whole.db-journal"), "pages of before a crash");
		expect(await run("restore whole.db")).toMatchObject({
			code: 1,
			stderr: expect.stringMatching(/its latest rows are in whole\.db-journal/),
		});
	});

	it("restores the rows of a journal by way of a backup", { tags: "slow" }, async () => {
		const { folder, json } = await openDesk("SQLite", cluster());
		const server = await startServer({ folder });
		await postEmail(server.url, "ada@example.com");
		await kill(server);
		const other = await openDesk("SQLite", cluster());
		const damaged = server.file;
		expect((await other.run(`restore ${damaged} --without-proofs`)).code).toBe(1);
		await json("backup saved.db");
		expect(await other.json(`restore ${join(folder, "saved.db")} --without-proofs`)).toMatchObject({
			added: 1,
		});
	});

	it("refuses to open a new database beside the journal of a lost one", async () => {
		const { folder, run, add } = await openDesk("SQLite", cluster());
		await add("ada@example.com");
		await mkdir(join(folder, "saved"));
		await copyFile(join(folder, "data/waitlist.db"), join(folder, "saved/waitlist.db"));
		const file = join(folder, "data/waitlist.db");
		execFileSync("mv", [file, join(folder, "moved.db")]);
		await writeFile(`${file}-wal`, "rows of the lost one");
		const { code, stderr } = await run("restore saved/waitlist.db --without-proofs");
		expect({ code, stderr }).toEqual({
			code: 1,
			stderr: expect.stringMatching(/is missing or empty, but its journal .*-wal is there/),
		});
	});
});

describe("a restore on another machine", () => {
	it("leaves nothing behind where it stops for want of proofs, a flipped bit or a foreign part", async () => {
		const { folder, json, add } = await openDesk("SQLite", cluster());
		await add("Person077@example.com");
		await json("backup list.db");
		const file = join(folder, "list.db");
		const bytes = await readFile(file);
		const other = await openDesk("SQLite", cluster());
		const restore = async (options = "") => {
			const { code, stderr } = await other.run(`restore ${file}${options}`);
			expect(code).toBe(1);
			expect(await readdir(join(other.folder, "data"))).toEqual([]);
			return stderr;
		};
		expect(await restore()).toMatch(/^Nothing was restored: /);
		for (const craft of crafts) {
			craftBackup(file, craft);
			expect(await restore(" --without-proofs")).toMatch(
				/list\.db is not a backup: it holds "\w+", which is not a table \(\w+\)\.\n$/,
			);
			await writeFile(file, bytes);
		}
		bytes[bytes.indexOf("Person077") + 2]! ^= 1;
		await writeFile(file, bytes);
		expect(await restore(" --without-proofs")).toMatch(
			/list\.db is damaged: its checksum .* waitlist backup <new file>\n$/,
		);
	});

	it("leaves out and names the rows that an import refuses", { tags: "slow" }, async () => {
		const { folder, settings, json, add } = await openDesk("SQLite", cluster());
		await add("ada@example.com");
		await given.people({ settings }, [
			{ email: "nobody" },
			{ email: "bob@example.com", source: "x".repeat(65) },
			{ email: "eve@example.com", joined: "2999-01-01T00:00:00.000Z" },
			{ email: "carl@example.com", joined: "2026-01-01" },
			{ email: "Dan@example.com", key: "eve@example.net" },
		]);
		await json("backup list.db");
		const other = await openDesk("SQLite", cluster());
		const { code, stdout } = await other.run(`restore ${join(folder, "list.db")} --without-proofs`);
		expect({ code, lines: stdout.split("\n").slice(3) }).toEqual({
			code: 1,
			lines: [
				"Both are the same, row for row.",
				"left out, because an import refuses them: 4",
				'  "bob@example.com": The source must be 1 to 64 printable characters.',
				'  "carl@example.com": An import would store it otherwise.',
				'  "Dan@example.com": An import would store it otherwise.',
				`  "nobody": ${EMAIL_INVALID}`,
				"",
			],
		});
		// A wrong clock is no reason to lose Eve.
		expect(await other.json("stats")).toMatchObject({ total: 2 });
	});

	it("takes the key that was brought where a server has made one for an empty list", async () => {
		const { folder, json, run, add } = await openDesk("SQLite", cluster());
		await add("ada@example.com", "bob@example.com");
		expect((await run("backup first.db")).stdout).toMatch(
			/\n {2}the erasure key: none yet\n {2}the file of proofs: none yet\nWithout the key, links /,
		);
		await json("backup list.db");
		await json("erase bob@example.com");
		const file = join(folder, "data/waitlist.db");
		expect((await run("backup second.db")).stdout).toContain(
			`  the erasure key: ${file}.erasure-key\n  the file of proofs: ${file}.erasures\n`,
		);

		const other = await openDesk("SQLite", cluster());
		await other.add();
		await other.run("erase nobody@example.com");
		const restore = () => other.json(`restore ${join(folder, "list.db")}`);
		for (const ending of [".erasure-key", ".erasures"]) {
			await copyFile(file + ending, join(other.folder, `data/waitlist.db${ending}`));
		}
		expect(await restore()).toMatchObject({ added: 1, erased: 1 });
		expect((await other.run("check")).stdout).not.toContain("✗ proofs");
		// With people it takes no other key.
		await writeFile(join(other.folder, "data/waitlist.db.erasure-key"), "0".repeat(64));
		await expect(restore()).rejects.toThrow("The erasure key is not the one");
	});
});

it("leaves no copy for good when a backup is killed", async () => {
	const partials = async (folder: string) =>
		(await readdir(folder)).filter((name) => name.includes(".partial"));
	const desk = await openDesk("SQLite", cluster());
	await fill(join(desk.folder, "data/waitlist.db"), 30_000);
	const isAtWork = async () => (await partials(desk.folder)).length > 0;
	expect(await killCommand(desk, ["backup", "first.db"], isAtWork, "SIGKILL")).toBe("SIGKILL");
	expect(await partials(desk.folder)).not.toEqual([]);
	await desk.json("backup second.db");
	expect(await partials(desk.folder)).toEqual([]);
});
