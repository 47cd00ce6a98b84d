import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { findProgram } from "../../bench/harness/browsers/find.ts";
import { gitProgram } from "../install-programs.ts";

const git = await findProgram(gitProgram);

/** Files that git tracks, or would: a README is checked before it is committed. */
function findFiles(...patterns: string[]): string[] {
	const list = ["ls-files", "--cached", "--others", "--exclude-standard", "-z", "--"];
	const output = execFileSync(git, [...list, ...patterns], { encoding: "utf8" });
	return [...new Set(output.split("\0"))].filter((file) => file !== "" && existsSync(file));
}

/** What a build or a run makes: a clone has none of it. */
const MADE = /^(?:coverage|data|dist|node_modules)\//;

/** The text without fenced blocks, in which paths may be those of another machine. */
function prose(file: string): string {
	return readFileSync(file, "utf8").replace(/^```.*?^```/gms, "");
}

/** Anchors of a page's headings, as GitHub makes them. */
function anchorsOf(file: string): string[] {
	return [...prose(file).matchAll(/^#+ (.+)$/gm)].map(([, heading = ""]) =>
		heading
			.toLowerCase()
			.replace(/[^\p{L}\p{N} _-]/gu, "")
			.replaceAll(" ", "-"),
	);
}

/** Relative links of a page that lead nowhere. */
function brokenLinks(page: string): string[] {
	const links = [...prose(page).matchAll(/\]\(([^)\s]+)\)/g)].map(([, link = ""]) => link);
	return links.filter((link) => {
		if (/^[a-z]+:/.test(link)) return false;
		const [path, anchor] = link.split("#");
		const target = path ? join(dirname(page), path) : page;
		if (!existsSync(target)) return true;
		return anchor !== undefined && !anchorsOf(target).includes(anchor);
	});
}

/** Paths in backticks, from the root or from the page's folder, at which nothing is. */
function brokenPaths(page: string): string[] {
	const codes = [...prose(page).matchAll(/`([^`\n]+)`/g)].map(([, code = ""]) => code);
	return codes
		.filter((code) => /^[\w.@-]+(?:\/[\w.@-]+)*\/(?:[\w@-][\w.@-]*\.\w+)?$/.test(code))
		.filter((path) => !MADE.test(path))
		.filter((path) => !existsSync(path) && !existsSync(resolve(dirname(page), path)));
}

/** Titles in quotes, in sentences about tests, that no test file linked there has. */
function brokenTitles(page: string): string[] {
	return prose(page)
		.split(/\n|(?<=\.) /)
		.flatMap((sentence) => {
			const files = [...sentence.matchAll(/\]\(([^)]+\.test\.tsx?)\)/g)].map(
				([, link = ""]) => link,
			);
			const titles = [...sentence.matchAll(/"([^"]+)"/g)].map(([, title = ""]) => title);
			const tests = files.map((file) => readFileSync(join(dirname(page), file), "utf8")).join();
			return files.length > 0 ? titles.filter((title) => !tests.includes(`"${title}"`)) : [];
		});
}

describe.each(findFiles("*.md"))("%s", (page) => {
	it("links to what is there", () => {
		expect(brokenLinks(page)).toEqual([]);
	});

	it("names files that are there", () => {
		expect(brokenPaths(page)).toEqual([]);
	});

	it("quotes tests by their titles", () => {
		expect(brokenTitles(page)).toEqual([]);
	});
});

it("comments and tests refer to promises that src/README.md has", () => {
	const readme = "src/README.md";
	const text = existsSync(readme) ? readFileSync(readme, "utf8") : "";
	const numbers = new Set([...text.matchAll(/\*\*(\d+)\.\*\*/g)].map(([, number]) => number));
	const unknown = findFiles("*.ts", "*.tsx", "*.css").flatMap((file) => {
		// A comment may break the line between the word and its numbers.
		const mentions = readFileSync(file, "utf8").matchAll(
			/\bpromises?[\s*/]+(\d+(?:(?:,|,? and|,? or| to|-)\s?\d+)*)\b/gi,
		);
		return [...mentions]
			.flatMap(([, list = ""]) => list.match(/\d+/g) ?? [])
			.filter((number) => !numbers.has(number))
			.map((number) => `${file}: ${number}`);
	});
	expect(unknown).toEqual([]);
});
