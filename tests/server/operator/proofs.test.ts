import {
	copyFile,
	mkdir,
	readdir,
	readFile,
	rm,
	stat,
	truncate,
	writeFile,
} from "node:fs/promises";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { openDatabase } from "../../../src/server/database/open-database.ts";
import { createPrivateFile } from "../../../src/server/files/private-file.ts";
import { clockAhead } from "../../clock-ahead.ts";
import { kind } from "../../given/kind.ts";
import { postEmail, startServer } from "../../server-process.ts";
import { temporaryFolder } from "../../temporary.ts";
import { usePostgres } from "../waitlist/databases.ts";
import { openDesk, openDeskWithPeople, runCommand } from "./desk.ts";

const cluster = usePostgres();

const OTHER_KEY = "another key of more than 32 characters";

/** Where a desk keeps its proofs outside the database. */
const proofsOf = (desk: { folder: string; env: Record<string, string> }) =>
	desk.env.WAITLIST_ERASURES ?? join(desk.folder, "data/waitlist.db.erasures");

describe(`an erased address on ${kind}`, () => {
	it("stays erased when the database is lost and a backup of before is restored", async () => {
		const desk = await openDeskWithPeople(kind, cluster());
		await desk.json("erase ada@bücher.example");
		await desk.json("backup list.backup");
		await desk.json("erase bob@example.com");
		expect((await stat(proofsOf(desk))).mode & 0o777).toBe(0o600);
		expect(await readFile(proofsOf(desk), "utf8")).not.toContain("bob");

		const fresh = await openDesk(kind, cluster());
		const env: Record<string, string> = { ...fresh.env, WAITLIST_ERASURES: proofsOf(desk) };
		if (kind === "SQLite") {
			env.WAITLIST_ERASURE_KEY = (
				await readFile(join(desk.folder, "data/waitlist.db.erasure-key"), "utf8")
			).trim();
		}
		const run = (...args: string[]) => runCommand(fresh.folder, args, { env });
		const restored = await run("restore", join(desk.folder, "list.backup"), "--json");
		expect(restored).toMatchObject({ code: 0 });
		expect(JSON.parse(restored.stdout)).toMatchObject({ added: 1, erased: 1 });
		expect(await run("find", "bob@example.com")).toMatchObject({
			code: 3,
			stdout: expect.stringMatching(/^Not on the waitlist\.\nErased on .*: on request\.\n$/),
		});
		expect((await run("find", "ada@bücher.example")).stdout).toContain("Erased on");
		const imported = await runCommand(fresh.folder, ["import", "-"], {
			env,
			input: "bob@example.com",
		});
		expect(imported).toMatchObject({ code: 1, stdout: expect.stringContaining("was erased on") });
	});

	it("does not come back by a restore beside a file of proofs that was emptied", {
		tags: "slow",
	}, async () => {
		const desk = await openDeskWithPeople(kind, cluster());
		await desk.json("erase bob@example.com");
		await desk.json("backup list.backup");
		const fresh = await openDesk(kind, cluster());
		const erasures = proofsOf(fresh);
		await mkdir(dirname(erasures), { recursive: true });
		await writeFile(erasures, "");
		const refused = await fresh.run(`restore ${join(desk.folder, "list.backup")}`);
		expect(refused).toMatchObject({ code: 1, stdout: "" });
		expect(refused.stderr).toContain(`${erasures} is empty`);
	});

	it("comes back by a restore that knows no proofs only when the operator says so", {
		tags: "slow",
	}, async () => {
		const desk = await openDeskWithPeople(kind, cluster());
		await desk.json("backup list.backup");
		const fresh = await openDesk(kind, cluster());
		const file = join(desk.folder, "list.backup");
		const refused = await fresh.run(`restore ${file}`);
		expect(refused).toMatchObject({ code: 1, stdout: "" });
		expect(refused.stderr).toMatch(/^Nothing was restored: .* knows no erasure.*--without-proofs/);
		expect(await fresh.json(`restore ${file} --without-proofs`)).toMatchObject({ added: 3 });
	});

	it("does not come back under a wrong key: every command that needs it refuses", {
		tags: "slow",
	}, async () => {
		const desk = await openDeskWithPeople(kind, cluster());
		await desk.json("backup before.db");
		await desk.json("erase bob@example.com");
		const env = { ...desk.env, WAITLIST_ERASURE_KEY: OTHER_KEY };
		const wrong = /^The erasure key is not the one that the proofs in .* are made with/;
		for (const args of [
			"erase eve@example.com",
			"import people.txt",
			"restore before.db",
			`migrate --to file:${join(desk.folder, "copy.db")}`,
		]) {
			await writeFile(join(desk.folder, "people.txt"), "bob@example.com");
			const { code, stderr } = await runCommand(desk.folder, args.split(" "), { env });
			expect({ args, code, stderr }).toEqual({
				args,
				code: 1,
				stderr: expect.stringMatching(wrong),
			});
		}
		const run = (...args: string[]) => runCommand(desk.folder, args, { env });
		expect(await run("check")).toMatchObject({
			code: 1,
			stdout: expect.stringContaining("✗ erasure key: The erasure key is not the one"),
		});
		expect((await run("backup", "after.db")).code).toBe(0);
		expect((await run("find", "bob@example.com")).stdout).toMatch(
			/^Not on the waitlist\.\nErasures could not be looked up\. The erasure key is not/,
		);
		// The key is lost for good: nobody can be asked for it, and people must be erased all the same.
		expect((await run("erase", "eve@example.com", "--new-key")).code).toBe(0);
		expect((await run("find", "eve@example.com")).stdout).toContain("Erased on");
		expect(await run("restore", "before.db")).toMatchObject({
			code: 1,
			stderr: expect.stringMatching(wrong),
		});
	});

	it("asks whether it stays out where a wrong clock erased it, and may have joined since", async () => {
		const { folder, run, json, add, env } = await openDesk(kind, cluster());
		await add("ada@example.com", "bob@example.com");
		await json("backup before.db");
		Object.assign(env, clockAhead(3 * 365 * 86_400_000));
		await json("erase ada@example.com bob@example.com");
		delete env.NODE_OPTIONS;
		const server = await startServer({ folder, env });
		expect((await postEmail(server.url, "ada@example.com")).status).toBe(201);
		expect(await run("restore before.db")).toMatchObject({
			code: 1,
			stderr: expect.stringContaining("--future-erasures"),
		});
		await json("restore before.db --future-erasures out");
		expect(await json("stats")).toMatchObject({ total: 1 });
		expect(await json("find ada@example.com")).toHaveProperty("registration");
		await json("restore before.db --future-erasures back");
		expect(await json("stats")).toMatchObject({ total: 2 });
		await json(`migrate --to file:${join(folder, "copy.db")}`);
		env.DATABASE_URL = `file:${join(folder, "copy.db")}`;
		expect(await json("stats")).toMatchObject({ total: 2 });
	});

	it("is erased after it joined, also when its clock was ahead", { tags: "slow" }, async () => {
		const desk = await openDesk(kind, cluster());
		const future = "2099-01-02T03:04:05.000Z";
		await desk.json(
			"import - --format jsonl",
			JSON.stringify({ email: "ada@example.com", createdAt: "2026-01-01" }),
		);
		const database = await openDatabase(
			kind === "SQLite"
				? { kind: "sqlite", file: join(desk.folder, "data/waitlist.db") }
				: { kind: "postgres", url: desk.env.DATABASE_URL! },
			{ create: false },
		);
		await database.query(`UPDATE registration SET created_at = '${future}'`);
		await database.close();
		await desk.json("backup before.db");
		const { receipts } = await desk.json("erase ada@example.com");
		expect(receipts).toMatchObject([{ erasedAt: future }]);
		expect(await desk.json("restore before.db --future-erasures out")).toMatchObject({
			added: 0,
			erased: 1,
		});
	});
});

describe("the key of the proofs", () => {
	it("is made by the first erasure on SQLite, and by nothing else", { tags: "slow" }, async () => {
		const desk = await openDeskWithPeople("SQLite", cluster());
		const file = join(desk.folder, "data/waitlist.db.erasure-key");
		for (const args of ["stats", "find bob@example.com", "export", "check", "backup a.db"]) {
			await desk.run(args);
		}
		await expect(stat(file)).rejects.toThrow("ENOENT");
		await desk.json("erase bob@example.com");
		expect((await readFile(file, "utf8")).trim()).toMatch(/^[0-9a-f]{64}$/);
		expect((await stat(file)).mode & 0o777).toBe(0o600);
	});

	it("is missed when it is gone, or shorter than 32 characters", { tags: "slow" }, async () => {
		const desk = await openDeskWithPeople("SQLite", cluster());
		await desk.json("erase bob@example.com");
		const file = join(desk.folder, "data/waitlist.db.erasure-key");
		await truncate(file, 0);
		expect(await desk.run("erase eve@example.com")).toMatchObject({
			code: 1,
			stderr: expect.stringMatching(/holds no key of at least 32 characters/),
		});
		await rm(file);
		for (const args of ["erase eve@example.com", "import -", "migrate --to file:copy.db"]) {
			expect(await desk.run(args)).toMatchObject({
				code: 1,
				stderr: expect.stringMatching(/^Proofs of erasure are kept here, but their key is missing/),
			});
		}
		await expect(stat(file)).rejects.toThrow("ENOENT");
		expect((await desk.run("check")).stdout).toContain("✗ erasure key: Proofs of erasure are kept");
		expect((await desk.run("backup a.db")).code).toBe(0);
		expect((await desk.run("find bob@example.com")).stdout).toContain("could not be looked up");
	});

	it("may be found later: proofs that a restore took over without it count from then on", {
		tags: "slow",
	}, async () => {
		const desk = await openDeskWithPeople("SQLite", cluster());
		await desk.json("erase bob@example.com");
		await desk.json("backup list.backup");
		const fresh = await openDesk("SQLite", cluster());
		const restored = await fresh.json(`restore ${desk.folder}/list.backup --without-proofs`);
		expect(restored).toMatchObject({ added: 2 });
		const key = "data/waitlist.db.erasure-key";
		await copyFile(join(desk.folder, key), join(fresh.folder, key));
		expect(await fresh.run("import -", "bob@example.com")).toMatchObject({
			code: 1,
			stdout: expect.stringContaining("was erased on"),
		});
	});

	it("is written whole or not at all", async () => {
		const folder = await temporaryFolder();
		const file = join(folder, "key");
		function* failing() {
			yield "half";
			throw new Error("the disk is full");
		}
		await expect(createPrivateFile(file, failing())).rejects.toThrow("the disk is full");
		expect(await readdir(folder)).toEqual([]);
		expect(await createPrivateFile(file, ["whole"])).toBe(true);
		expect(await createPrivateFile(file, ["other"])).toBe(false);
		expect(await readFile(file, "utf8")).toBe("whole");
		expect(await readdir(folder)).toEqual(["key"]);
	});

	it("is not needed on PostgreSQL to find and to back up, and its absence is marked", {
		tags: "slow",
	}, async () => {
		const desk = await openDeskWithPeople("PostgreSQL", cluster());
		await desk.json("erase bob@example.com");
		const env = { DATABASE_URL: desk.env.DATABASE_URL! };
		const run = (...args: string[]) => runCommand(desk.folder, args, { env });
		expect(await run("find", "eve@example.com")).toMatchObject({
			code: 0,
			stdout: expect.stringMatching(
				/email: eve@example\.com[\s\S]*Erasures could not be looked up/,
			),
		});
		expect((await run("backup", "a.db")).code).toBe(0);
		const { code, stdout } = await run("check");
		expect(code).toBe(1);
		expect(stdout).toContain("✗ erasure key: Proofs of erasure are kept here");
		expect(stdout).toContain("✗ proofs of erasure: WAITLIST_ERASURES is not set");
		expect(await run("erase", "eve@example.com")).toMatchObject({
			code: 1,
			stderr: expect.stringMatching(/^Set WAITLIST_ERASURES to the path of a file/),
		});
	});
});

describe("the file of proofs", () => {
	it("gets the proofs that the database has, and goes on after half a line", {
		tags: "slow",
	}, async () => {
		const desk = await openDeskWithPeople("SQLite", cluster());
		const file = proofsOf(desk);
		await desk.json("erase bob@example.com");
		await rm(file);
		expect((await desk.run("check")).stdout).toContain(
			"✗ proofs of erasure: only in the database, which may be lost: put the file of proofs back to",
		);
		await desk.json("erase --older-than 24");
		expect((await desk.run("check")).stdout).toContain(`✓ proofs of erasure: also in ${file}`);
		await desk.json("erase eve@example.com");
		const whole = await readFile(file, "utf8");
		expect(whole.trimEnd().split("\n")).toHaveLength(2);
		await writeFile(file, `${whole}{"code":"01`);
		await desk.json("erase ada@bücher.example");
		const lines = (await readFile(file, "utf8")).trimEnd().split("\n");
		expect(lines.map((line) => Object.keys(JSON.parse(line)))).toEqual(
			Array(3).fill(["code", "erasedAt", "reason", "key"]),
		);
	});

	it("is read to the letter: a restore names a line that is not a proof", {
		tags: "slow",
	}, async () => {
		const desk = await openDeskWithPeople("SQLite", cluster());
		await desk.json("backup before.db");
		await desk.json("erase bob@example.com");
		const file = proofsOf(desk);
		await writeFile(file, `nonsense\n${await readFile(file, "utf8")}`);
		expect(await desk.run("restore before.db")).toMatchObject({
			code: 1,
			stderr: `Line 1 of ${file} is not a proof of erasure.\n`,
		});
	});

	it("comes first: nobody is erased who would not be in it", async () => {
		const desk = await openDeskWithPeople("SQLite", cluster());
		await desk.json("erase bob@example.com");
		await rm(proofsOf(desk));
		await writeFile(`${desk.folder}/not-a-folder`, "");
		const env = { ...desk.env, WAITLIST_ERASURES: `${desk.folder}/not-a-folder/erasures` };
		const { code, stdout } = await runCommand(desk.folder, ["erase", "eve@example.com"], { env });
		expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
		expect((await desk.run("find eve@example.com")).code).toBe(0);
	});
});
