import { readFile } from "node:fs/promises";
import { expect, it } from "vitest";
import { createProgram } from "../../../src/server/commands/program.ts";

const commands = createProgram().commands;

async function listed(): Promise<string[]> {
	const manual = await readFile("src/server/operating.md", "utf8");
	const [, table = ""] = /^\| `waitlist …`.*\n((?:\|.*\n)+)/m.exec(manual) ?? [];
	return [...table.matchAll(/^\| (`.*?`) +\|/gm)].flatMap(([, cell]) =>
		[...cell!.matchAll(/`([^`]+)`/g)].map(([, words]) => words!),
	);
}

it("the manual's table has every command with the options that it requires, and none that it lacks", async () => {
	const rows = await listed();
	expect(new Set(rows.map((row) => row.split(" ")[0]))).toEqual(
		new Set(commands.map((command) => command.name())),
	);
	for (const row of rows) {
		const command = commands.find((command) => command.name() === row.split(" ")[0])!;
		const named: string[] = row.match(/--[\w-]+/g) ?? [];
		const required = command.options.filter(({ mandatory }) => mandatory);
		expect(named, row).toEqual(expect.arrayContaining(required.map(({ long }) => long)));
		expect(
			command.options.map(({ long }) => long),
			row,
		).toEqual(expect.arrayContaining(named));
	}
});
