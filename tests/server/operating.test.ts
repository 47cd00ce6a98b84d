import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { createProgram } from "../../src/server/commands/program.ts";
import { defaultSettings } from "../../src/server/settings.ts";

const { commands } = createProgram();

const files = await readdir("src/server", { recursive: true });

const readAll = (extension: string) =>
	Promise.all(
		files
			.filter((file) => file.endsWith(extension))
			.map((file) => readFile(join("src/server", file), "utf8")),
	);

const LOG = "What the log says";

const manual = await readFile("src/server/operating.md", "utf8");

const sectionOf = (heading: string) => manual.split(`# ${heading}\n`)[1]!.split("\n#")[0]!;

const itemsOf = (heading: string) => sectionOf(heading).match(/^- .+/gm) ?? [];

const codesIn = (text: string) => [...text.matchAll(/`([^`]+)`/g)].map(([, code]) => code!);

const optionsIn = (text: string): string[] => text.match(/--[\w-]+/g) ?? [];

const optionsOf = (name: string) => {
	const { options = [] } = commands.find((command) => command.name() === name) ?? {};
	return options.map(({ long }) => long!).concat("--help");
};

it("the manual lists every command, with no unknown option", () => {
	const items = itemsOf("Commands").map((item) => ({ item, name: /\w+/.exec(item)![0] }));
	expect(items.map(({ name }) => name).sort()).toEqual(
		commands.map((command) => command.name()).sort(),
	);
	for (const { item, name } of items) {
		const required = commands
			.find((command) => command.name() === name)!
			.options.filter(({ mandatory }) => mandatory);
		expect(optionsIn(item), item).toEqual(expect.arrayContaining(required.map(({ long }) => long)));
		expect(optionsOf(name), item).toEqual(expect.arrayContaining(optionsIn(item)));
	}
});

it("every command in the server's pages exists with its options", async () => {
	const names = commands.map((command) => command.name());
	const pages = (await readAll(".md")).join("\n").replace(sectionOf(LOG), "");
	const lines = [...pages.matchAll(/(?:`|^|\s)waitlist (?:-- )?([a-z]+)\b([^`\n#]*)/gm)]
		.filter(([line, name]) => line.startsWith("`") || names.includes(name!))
		.map(([line, name, rest]) => ({ line: line.trim(), name: name!, options: optionsIn(rest!) }));
	expect(lines.length).toBeGreaterThan(names.length);
	for (const { line, name, options } of lines) {
		expect(names, line).toContain(name);
		expect(optionsOf(name), line).toEqual(expect.arrayContaining(options));
	}
});

it("the manual lists every setting with its default", () => {
	const items = itemsOf("Settings").map((item) => /^- ([^(:]+)(?:\(([^)]+)\))?: /.exec(item)!);
	expect(items.flatMap(([, names]) => codesIn(names!)).sort()).toEqual(
		Object.keys(defaultSettings).sort(),
	);
	for (const [, names = "", values = ""] of items) {
		for (const [i, name] of codesIn(names).entries()) {
			const expected = defaultSettings[name as keyof typeof defaultSettings];
			if (expected !== "") expect(codesIn(values)[i], name).toBe(expected);
		}
	}
});

it("the manual's log events are in the source", async () => {
	const events = itemsOf(LOG).flatMap((item) => codesIn(item.split(":")[0]!));
	const source = (await readAll(".ts")).join("\n");
	expect(events).toContain("burst");
	expect(events.filter((event) => !source.includes(`"${event}"`))).toEqual([]);
});
