import { mkdir, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { createPrivateFile } from "../../../src/server/files/private-file.ts";
import { kind } from "../../given/kind.ts";
import { temporaryFolder } from "../../temporary.ts";
import { usePostgres } from "../registrations/databases.ts";
import { openDesk, openDeskWithPeople, runCommand } from "./desk.ts";

const cluster = usePostgres();

const OTHER_KEY = "another key of more than 32 characters";

/** Where a desk keeps its proofs outside the database. */
const proofsOf = (desk: { folder: string; env: Record<string, string> }) =>
	desk.env.WAITLIST_ERASURES ?? join(desk.folder, "data/waitlist.db.erasures");

const keyOf = async (desk: { folder: string; env: Record<string, string> }) =>
	desk.env.WAITLIST_SECRET ??
	(await readFile(join(desk.folder, "data/waitlist.db.erasure-key"), "utf8")).trim();

describe(`an erased address on ${kind}`, () => {
	it("stays erased when the database is lost and a backup of before is restored", async () => {
		const desk = await openDeskWithPeople(kind, cluster());
		await desk.json("erase ada@bücher.example");
		await desk.json("backup list.backup");
		await desk.json("erase bob@example.com");
		expect(await readFile(proofsOf(desk), "utf8")).not.toContain("bob");

		const fresh = await openDesk(kind, cluster());
		const env: Record<string, string> = { ...fresh.env, WAITLIST_ERASURES: proofsOf(desk) };
		env.WAITLIST_SECRET = await keyOf(desk);
		const run = (...args: string[]) => runCommand(fresh.folder, args, { env });
		const restored = await run("restore", join(desk.folder, "list.backup"), "--json");
		expect(restored).toMatchObject({ code: 0 });
		expect(JSON.parse(restored.stdout)).toMatchObject({ rows: { registration: 2 }, erased: 1 });
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

	it("does not come back by a restore without its file, or under another key, unless the founder says so", async () => {
		const desk = await openDeskWithPeople(kind, cluster());
		await desk.json("erase bob@example.com");
		await desk.json("backup list.db");
		const list = join(desk.folder, "list.db");
		const fresh = await openDesk(kind, cluster());
		const file = proofsOf(fresh);
		const run = (args: string, key = KEY) =>
			runCommand(fresh.folder, args.split(" "), {
				env: { ...fresh.env, WAITLIST_SECRET: key },
			});
		const KEY = (await keyOf(desk)) as string;
		const refused = async (found: string) => {
			const { code, stderr } = await run(`restore ${list}`);
			expect({ code, stderr }).toEqual({
				code: 1,
				stderr: expect.stringMatching(
					`^Nothing was restored: .* is ${found}\\. .* use --without-file `,
				),
			});
		};
		await refused("missing");
		await writeFile(file, "").catch(async () => {
			await mkdir(dirname(file));
			await writeFile(file, "");
		});
		await refused("empty");
		await writeFile(file, await readFile(proofsOf(desk)));
		const other = await run(`restore ${list}`, OTHER_KEY);
		expect(other).toMatchObject({
			code: 1,
			stderr: expect.stringMatching(/belongs to the key [0-9a-f]{32}, and .* use --new-key\.\n$/),
		});
		expect(await run(`restore ${list} --new-key`, OTHER_KEY)).toMatchObject({ code: 0 });
		expect(await run("erase eve@example.com", OTHER_KEY)).toMatchObject({ code: 0 });
		// A living list refuses another key, in every command that needs it.
		for (const args of ["erase ada@bücher.example", "import -"]) {
			expect(await run(args), args).toMatchObject({
				code: 1,
				stderr: expect.stringMatching(
					/^The erasure key is not the one that the proofs in .* are made with/,
				),
			});
		}
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
