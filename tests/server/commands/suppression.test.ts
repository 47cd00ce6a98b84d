import { copyFile, mkdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { kind } from "../../given/kind.ts";
import { startServer } from "../../server-process.ts";
import { MAIL_SETTINGS } from "../waves/wave-setup.ts";
import { failureOf, openCommandSetup, openSetupWithPeople, runCommand } from "./command-setup.ts";

const OTHER_KEY = "another key of more than 32 characters";

const fileOf = (setup: { folder: string; env: Record<string, string> }) =>
	setup.env.WAITLIST_SUPPRESSION_FILE ?? join(setup.folder, "data/waitlist.db.suppressions");

const keyOf = async (setup: { folder: string; env: Record<string, string> }) =>
	setup.env.WAITLIST_SECRET ??
	(await readFile(join(setup.folder, "data/waitlist.db.key"), "utf8")).trim();

describe(`a deleted or unsubscribed address on ${kind}`, () => {
	it("stays deleted or unsubscribed after an earlier backup is restored", async () => {
		const setup = await openSetupWithPeople(kind);
		await setup.json("delete ada@bücher.example");
		await setup.json("backup list.backup");
		await setup.json("delete bob@example.com");
		await setup.json("unsubscribe eve@example.com");
		expect(await readFile(fileOf(setup), "utf8")).not.toMatch(/bob|eve/);

		const fresh = await openCommandSetup(kind);
		const env: Record<string, string> = { ...fresh.env, WAITLIST_SUPPRESSION_FILE: fileOf(setup) };
		env.WAITLIST_SECRET = await keyOf(setup);
		const run = (...args: string[]) => runCommand(fresh.folder, args, { env });
		const restored = await run("restore", join(setup.folder, "list.backup"), "--json");
		expect(restored).toMatchObject({ code: 0 });
		expect(JSON.parse(restored.stdout)).toMatchObject({ rows: { registration: 2 }, deleted: 1 });
		expect(await run("find", "bob@example.com")).toMatchObject({
			code: 3,
			stdout: expect.stringMatching(/^Not on the waitlist\.\nDeleted on .*: on request\.\n$/),
		});
		expect((await run("find", "ada@bücher.example")).stdout).toContain("Deleted on");
		expect((await run("find", "eve@example.com")).stdout).toContain("Unsubscribed: on request");
		expect((await run("check", "--json")).stdout).not.toContain(env.WAITLIST_SECRET);
		const imported = await runCommand(fresh.folder, ["import", "-"], {
			env,
			input: "bob@example.com",
		});
		expect(imported).toMatchObject({
			code: 1,
			stdout: expect.stringContaining("email: deleted on"),
		});
	});

	it("is not restored without the suppression file or with another key, unless an option allows it", async () => {
		const setup = await openSetupWithPeople(kind);
		await setup.json("delete bob@example.com");
		await setup.json("backup list.db");
		const list = join(setup.folder, "list.db");
		const fresh = await openCommandSetup(kind);
		const file = fileOf(fresh);
		const run = (args: string, key = KEY) =>
			runCommand(fresh.folder, args.split(" "), { env: { ...fresh.env, WAITLIST_SECRET: key } });
		const KEY = (await keyOf(setup)) as string;
		const refused = async (found: string) => {
			expect(await failureOf(run(`restore ${list}`))).toMatch(
				new RegExp(`^Nothing was restored: .* is ${found}\\. .* use --without-file: `),
			);
		};
		await refused("missing");
		await writeFile(file, "").catch(async () => {
			await mkdir(dirname(file));
			await writeFile(file, "");
		});
		await refused("empty");
		await writeFile(file, await readFile(fileOf(setup)));
		expect(await failureOf(run(`restore ${list}`, OTHER_KEY))).toMatch(
			/belongs to the key with the fingerprint [0-9a-f]{32}, but .* restore a backup with --new-key\.\n$/,
		);
		expect(await run(`restore ${list} --new-key`, OTHER_KEY)).toMatchObject({ code: 0 });
		expect(await run("delete eve@example.com", OTHER_KEY)).toMatchObject({ code: 0 });
		for (const args of ["delete ada@bücher.example", "import -"]) {
			expect(await failureOf(run(args)), args).toMatch(
				/^This list belongs to the key with the fingerprint \w+, but the key here has the fingerprint \w+\. /,
			);
		}
	});
});

describe("the key and the suppression file on SQLite", () => {
	it("are created by the first deletion, and reported when missing", async () => {
		const setup = await openSetupWithPeople("SQLite");
		const key = join(setup.folder, "data/waitlist.db.key");
		await setup.json("delete bob@example.com");
		expect((await readFile(key, "utf8")).trim()).toMatch(/^[0-9a-f]{64}$/);
		for (const file of [key, fileOf(setup)]) expect((await stat(file)).mode & 0o777).toBe(0o600);
		await rm(fileOf(setup));
		expect((await setup.run("check")).stdout).toMatch(
			/^✗ suppression file: .* is missing: put it back/m,
		);
		await setup.json("delete ada@bücher.example");
		const lines = (await readFile(fileOf(setup), "utf8")).trimEnd().split("\n");
		expect(lines.map((line) => Object.keys(JSON.parse(line)))).toEqual(
			Array(2).fill(["hash", "at", "reason", "key"]),
		);
		await rm(key);
		for (const command of ["delete eve@example.com", "find bob@example.com"]) {
			expect(await failureOf(setup.run(command))).toMatch(
				/^This list belongs to the key with the fingerprint \w+, but there is no key here\. /,
			);
		}
		await expect(stat(key)).rejects.toThrow("ENOENT");
	});

	it("add missing entries to any copy of the database", async () => {
		const setup = await openSetupWithPeople("SQLite");
		await setup.json("delete bob@example.com");
		const database = join(setup.folder, "data/waitlist.db");
		await copyFile(database, join(setup.folder, "snapshot.db"));
		await setup.json("delete eve@example.com");
		await copyFile(join(setup.folder, "snapshot.db"), database);
		const imported = await setup.run("import -", "bob@example.com\neve@example.com");
		expect(imported.stdout).toMatch(/^0 added, 0 already on the list, 2 rejected\n/);
	});

	it("are replaced by a backup's if a server has created new ones for an empty list", async () => {
		const setup = await openSetupWithPeople("SQLite");
		await setup.json("delete bob@example.com");
		await setup.json("backup list.db");
		const fresh = await openCommandSetup("SQLite");
		const server = await startServer({ ...fresh, env: MAIL_SETTINGS });
		server.process.kill("SIGTERM");
		await server.ended;
		const restore = () => fresh.run(`restore ${join(setup.folder, "list.db")}`);
		expect((await restore()).stderr).toMatch(/put it into .*waitlist\.db\.key\./);
		for (const ending of [".key", ".suppressions"]) {
			const [from, to] = [setup, fresh].map(({ folder }) =>
				join(folder, `data/waitlist.db${ending}`),
			);
			await copyFile(from!, to!);
		}
		expect(await restore()).toMatchObject({ code: 0 });
		expect((await fresh.run("find bob@example.com")).stdout).toContain("Deleted on");
	});

	it("are written first: nobody is deleted without an entry outside the database", async () => {
		const setup = await openSetupWithPeople("SQLite");
		await writeFile(`${setup.folder}/not-a-folder`, "");
		const env = { ...setup.env, WAITLIST_SUPPRESSION_FILE: `${setup.folder}/not-a-folder/file` };
		await failureOf(runCommand(setup.folder, ["delete", "eve@example.com"], { env }));
		expect((await setup.run("find eve@example.com")).code).toBe(0);
	});
});
