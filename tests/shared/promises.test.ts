import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

/* The promises of src/README.md: their numbers, their links, and the code that cites them. */

const readme = readFileSync("src/README.md", "utf8");
const promises = [...readme.matchAll(/^\*\*(\d+)\.\*\*/gm)].map(([, number]) => Number(number));

test("promises are numbered from 1 on, without a gap", () => {
	expect(promises.length).toBeGreaterThan(40);
	expect(promises).toEqual(promises.map((_, index) => index + 1));
});

test("every promise links to files that exist", () => {
	const links = [...readme.matchAll(/\]\(([^)]+)\)/g)].map(([, link]) => link!);
	expect(links.length).toBeGreaterThan(promises.length);
	expect(links.filter((link) => !existsSync(join("src", link)))).toEqual([]);
});

test("code and tests cite promises that exist", () => {
	const cited = ["engine", "src", "bench", "tests"]
		.flatMap((folder) =>
			readdirSync(folder, { recursive: true }).map((file) => `${folder}/${file}`),
		)
		.filter((file) => /\.(tsx?|css)$/.test(file) && !file.includes("node_modules"))
		.flatMap(
			(file) => readFileSync(file, "utf8").match(/\bpromises? \d+(( to|,| and) \d+)*/g) ?? [],
		)
		.flatMap((words) => words.match(/\d+/g)!.map(Number));
	expect(cited.length).toBeGreaterThan(20);
	expect(cited.filter((number) => !promises.includes(number))).toEqual([]);
});
