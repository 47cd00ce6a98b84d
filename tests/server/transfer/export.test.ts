import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import fc from "fast-check";
import { expect, it } from "vitest";
import { kind } from "../../given/kind.ts";
import {
	type CommandResult,
	cliPath,
	failureOf,
	openCommandSetup,
	openSetupWithPeople,
	parsePeople,
	runProgram,
} from "../commands/command-setup.ts";

async function expectToTakeBack(csv: string, run: (args: string) => Promise<CommandResult>) {
	const other = await openCommandSetup(kind);
	await other.json("import - --format csv", csv);
	const [one, two] = [await run("export --format jsonl"), await other.run("export --format jsonl")];
	expect(two.stdout).toBe(one.stdout);
}

it(`export on ${kind} exports CSV that no spreadsheet runs, whatever its separator, and reimports it unchanged`, async () => {
	const { run, json } = await openCommandSetup(kind);
	const odd = ["=1", "'=1", "＝1", "fair;=1+1", "fair; 1;@x;;-y", 'fair;"=1+1', "fair;'+1", "＠x"];
	const signs = fc.constantFrom(..."'\"=+-@＝ \u00A0;,\t\r\na1");
	const random = fc.sample(fc.string({ unit: signs, minLength: 1 }), { seed: 27, numRuns: 300 });
	const terms = ["a\n=1+1", "a\t=1\r\n+1", '"=x', "\u3000＝1", " ' =1", "\u200B=1", ...random];
	const people = [
		...odd.map((source, n) => ({ email: `=${n}+1@example.com`, source })),
		...terms.map((terms, n) => ({ email: `terms-${n}@example.com`, terms, flag: ";=1" })),
	];
	const lines = people.map((person) => JSON.stringify(person)).join("\n");
	expect(await json("import - --format jsonl", lines)).toMatchObject({ added: people.length });
	const { stdout: csv } = await run("export");
	expect(csv).toMatch(/^email,source,joinedAt,terms,flag,key,confirmedAt,.*\r\n'=\d/);
	// Splits cells like a spreadsheet with this separator.
	for (const separator of [/[,\r\n]/, /[;\r\n]/, /[\t\r\n]/]) {
		const cells = csv.split(separator).map((cell) => cell.replaceAll('"', "").trim());
		expect(cells.filter((cell) => /^[=+\-@＝＋－＠]/.test(cell))).toEqual([]);
	}
	await expectToTakeBack(csv, run);
	const { stdout: excel } = await run("export --format excel");
	expect(excel).toMatch(/^\uFEFFemail;source;joinedAt;terms;.*\r\n'=\d/);
	await expectToTakeBack(excel, run);
});

it(`export on ${kind} exports matching people, oldest first`, async () => {
	const { run, folder } = await openSetupWithPeople(kind);
	const emails = async (args: string) =>
		parsePeople((await run(`export --format jsonl ${args}`)).stdout).map(({ email }) => email);
	expect(await emails("--until 2027-01-01")).toEqual([
		"Ada@Bücher.example",
		"bob@example.com",
		"eve@example.com",
	]);
	expect(await emails("--since 2026-11-20")).toEqual(["bob@example.com", "eve@example.com"]);
	expect(await emails("--since 2026-11-21T09:30:00.500Z")).toEqual(["eve@example.com"]);
	expect(await emails("--until 2026-11-20T09:00Z")).toEqual(["Ada@Bücher.example"]);
	expect(await emails("--source fair")).toEqual(["bob@example.com"]);
	expect(await emails("--flag honeypot")).toEqual(["bob@example.com"]);
	expect(await emails("--flag none")).toEqual(["Ada@Bücher.example", "eve@example.com"]);
	const written = await run("export --output list.csv");
	expect(written).toEqual({ code: 0, stdout: "", stderr: "Written to list.csv.\n" });
	expect((await stat(join(folder, "list.csv"))).mode & 0o777).toBe(0o600);
	expect((await readFile(join(folder, "list.csv"), "utf8")).split("\r\n")).toHaveLength(5);
	expect((await run("export --output list.csv")).code).toBe(1);
});

const shell = (folder: string, command: string) =>
	runProgram(folder, ["sh", "-c", command, process.execPath, cliPath]);
const many = Array.from({ length: 5000 }, (_, n) => `visitor-${n}@example.com`);

it("an export that cannot be written prints an error and exits with 1, unless the reader stopped reading", async () => {
	const { folder, add } = await openCommandSetup("SQLite");
	await add(...many);
	expect(await failureOf(shell(folder, '"$0" "$1" export > /dev/full'))).toBe(
		"Standard output cannot be written: the disk is full.\n",
	);
	expect((await shell(folder, '"$0" "$1" stats > /dev/full')).code).toBe(1);
	const enough = '{ "$0" "$1" export; echo "$?" >&2; } | head -n 1 > /dev/null';
	expect(await shell(folder, enough)).toMatchObject({ code: 0, stderr: "0\n" });
});
