import { readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { createPrivateFile } from "../../../src/server/files/private-file.ts";
import { clockAhead } from "../../clock-ahead.ts";
import { kind } from "../../given/kind.ts";
import { postEmail, startServer } from "../../server-process.ts";
import { temporaryFolder } from "../../temporary.ts";
import { usePostgres } from "../registrations/databases.ts";
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
		expect(await readFile(proofsOf(desk), "utf8")).not.toContain("bob");

		const fresh = await openDesk(kind, cluster());
		const env: Record<string, string> = { ...fresh.env, WAITLIST_ERASURES: proofsOf(desk) };
		if (kind === "SQLite") {
			env.WAITLIST_SECRET = (
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
		const env = { ...desk.env, WAITLIST_SECRET: OTHER_KEY };
		const wrong = /^The erasure key is not the one that the proofs in .* are made with/;
		const run = (...args: string[]) => runCommand(desk.folder, args, { env });
		for (const args of ["erase eve@example.com", "import -", "migrate --to file:copy.db"]) {
			expect(await run(...args.split(" ")), args).toMatchObject({
				code: 1,
				stderr: expect.stringMatching(wrong),
			});
		}
		// The key is lost for good: nobody can be asked for it, and people must be erased all the same.
		expect((await run("erase", "eve@example.com", "--new-key")).code).toBe(0);
		expect((await run("find", "eve@example.com")).stdout).toContain("Erased on");
		expect(await run("restore", "before.db")).toMatchObject({
			code: 1,
			stderr: expect.stringMatching(wrong),
		});
	});

	it("asks whether it stays out where a wrong clock erased it, and may have joined since", {
		tags: "slow",
	}, async () => {
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
});

describe("the key and the file of proofs on SQLite", () => {
	it("are made by the first erasure, and missed when they are gone", {
		tags: "slow",
	}, async () => {
		const desk = await openDeskWithPeople("SQLite", cluster());
		const key = join(desk.folder, "data/waitlist.db.erasure-key");
		await desk.run("backup a.db");
		await expect(stat(key)).rejects.toThrow("ENOENT");
		await desk.json("erase bob@example.com");
		expect((await readFile(key, "utf8")).trim()).toMatch(/^[0-9a-f]{64}$/);
		for (const file of [key, proofsOf(desk)]) {
			expect((await stat(file)).mode & 0o777).toBe(0o600);
		}
		await rm(proofsOf(desk));
		expect((await desk.run("check")).stdout).toContain(
			"✗ proofs of erasure: only in the database, which may be lost: put the file of proofs back to",
		);
		await desk.json("erase ada@bücher.example");
		const lines = (await readFile(proofsOf(desk), "utf8")).trimEnd().split("\n");
		expect(lines.map((line) => Object.keys(JSON.parse(line)))).toEqual(
			Array(2).fill(["code", "erasedAt", "reason", "key"]),
		);
		await rm(key);
		expect(await desk.run("erase eve@example.com")).toMatchObject({
			code: 1,
			stderr: expect.stringMatching(/^Proofs of erasure are kept here, but their key is missing/),
		});
		await expect(stat(key)).rejects.toThrow("ENOENT");
		expect((await desk.run("find bob@example.com")).stdout).toContain("could not be looked up");
	});

	it("are written whole or not at all", async () => {
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

	it("come first: nobody is erased without a proof outside the database", async () => {
		const desk = await openDeskWithPeople("SQLite", cluster());
		await writeFile(`${desk.folder}/not-a-folder`, "");
		const env = { ...desk.env, WAITLIST_ERASURES: `${desk.folder}/not-a-folder/erasures` };
		const { code, stdout } = await runCommand(desk.folder, ["erase", "eve@example.com"], { env });
		expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
		expect((await desk.run("find eve@example.com")).code).toBe(0);
	});
});
