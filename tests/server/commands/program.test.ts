import { chown, mkdir, readdir, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { createProgram } from "../../../src/server/commands/program.ts";
import { temporaryFolder } from "../../temporary.ts";
import { failureOf, runCommand } from "./command-setup.ts";

const commands = createProgram().commands;

describe("the command line", () => {
	it("explains itself and every command", async () => {
		const folder = await temporaryFolder();
		const { code, stdout } = await runCommand(folder, ["--help"]);
		expect(code).toBe(0);
		const names = [...stdout.matchAll(/^ {2}([a-z]+) /gm)]
			.map((match) => match[1]!)
			.filter((name) => name !== "help");
		for (const command of commands) {
			expect(names).toContain(command.name());
			expect(command.helpInformation()).toMatch(`Usage: waitlist ${command.name()}`);
			expect(command.helpInformation()).not.toContain("src/");
			const lines = command.helpInformation().trim().split("\n");
			expect(lines.length, command.name()).toBeLessThanOrEqual(24);
		}
		expect(await runCommand(folder, ["delete", "--help"])).toMatchObject({
			code: 0,
			stdout: expect.stringMatching(/^Usage: waitlist delete/),
		});
	});

	it("exits with 2 after wrong use", async () => {
		const folder = await temporaryFolder();
		for (const [args, sentence] of [
			["", "Usage"],
			["nonsense", "unknown command"],
			["export --since yesterday", "It must be a day or a time"],
			["delete", "give the addresses to delete"],
			["delete a@b.c --reason unsubscribed", 'Reasons that start with "unsubscribed" are reserved'],
			["resend", "give addresses, or use --unknown, but not both"],
			["migrate", "set TARGET_DATABASE_URL to the empty database to copy into"],
		] as const) {
			const run = runCommand(folder, args.split(" ").filter(Boolean));
			expect(await failureOf(run, 2)).toContain(sentence);
		}
	});

	it("escapes terminal control characters from files and options", async () => {
		const folder = await temporaryFolder();
		const sign = "\x1b]52;c;eA==\x07\x9b2K\u202e";
		const shown = "\\u001b]52;c;eA==\\u0007\\u009b2K\\u202e";
		const terms = `${sign}\nflags: honeypot`;
		const input = `{"email":"ada@example.com","terms":${JSON.stringify(terms)}}`;
		await runCommand(folder, ["import", "-", "--format", "jsonl"], { input });
		const found = await runCommand(folder, ["find", "ada@example.com"]);
		expect(found.stdout).toContain(`\nLegal texts: ${shown}\\u000aflags: honeypot. No IP`);
		const json = await runCommand(folder, ["find", "ada@example.com", "--json"]);
		expect(JSON.parse(json.stdout).registration.terms).toBe(terms);
		const runs = [found, json, await runCommand(folder, ["restore", sign])];
		for (const { stdout, stderr } of runs) {
			expect(stdout + stderr).toContain("\\u001b]52");
			expect(stdout + stderr).not.toMatch(/(?!\n|\t)\p{Cc}|\u202e/u);
		}
	});

	it("exits with 1 and a sentence without a waitlist, a needed setting or a valid one", async () => {
		const folder = await temporaryFolder();
		expect(await failureOf(runCommand(folder, ["stats"]))).toMatch(
			/^There is no waitlist at .*\/data\/waitlist\.db: start the server to create it/,
		);
		await runCommand(folder, ["import", "-"]);
		expect(await failureOf(runCommand(folder, ["admin"]))).toBe(
			"The admin pages are off: set WAITLIST_ADMIN_PORT, and restart the server.\n",
		);
		const env = { PORT: "x" };
		expect(await failureOf(runCommand(folder, ["stats"], { env }))).toMatch(/^PORT must be/);
	});

	it("exits with 1 and a sentence if a file cannot be used", async () => {
		const folder = await temporaryFolder();
		await mkdir(join(folder, "folder"));
		await writeFile(join(folder, "file"), "");
		await runCommand(folder, ["import", "-"]);
		for (const args of ["restore folder", "backup file/today.db", "import folder"]) {
			const stderr = await failureOf(runCommand(folder, args.split(" ")));
			expect(stderr).toMatch(/^[^\n]*(missing|folder|file)[^\n]*\.\n$/);
			expect(stderr).not.toMatch(/ENO|EIS|EACC/);
		}
	});

	it("creates files as the owner of the folder, even when run by root", async () => {
		const folder = await temporaryFolder();
		const owner = process.getuid!() === 0 ? 65_534 : process.getuid!();
		await mkdir(join(folder, "data"));
		for (const path of [folder, join(folder, "data")]) await chown(path, owner, -1);
		const env = { TARGET_DATABASE_URL: "file:data/deep/copy.db" };
		const run = async (...args: string[]) =>
			expect(await runCommand(folder, args, { input: "ada@example.com", env })).toMatchObject({
				code: 0,
			});
		await run("import", "-");
		await run("export", "--output", "data/list.csv");
		await run("backup", "data/today.db");
		await run("delete", "ada@example.com");
		await run("migrate");
		const names = await readdir(join(folder, "data"), { recursive: true });
		expect(names).toEqual(expect.arrayContaining(["list.csv", "today.db", "waitlist.db"]));
		for (const name of names) {
			expect({ name, uid: (await stat(join(folder, "data", name))).uid }).toEqual({
				name,
				uid: owner,
			});
		}
	});
});
