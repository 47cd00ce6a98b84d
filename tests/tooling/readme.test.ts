import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { findProgram } from "../../bench/harness/browsers/find.ts";
import { gitProgram } from "../install-programs.ts";

const git = await findProgram(gitProgram);

/** Includes untracked files, because a README is checked before it is committed. */
function findFiles(...patterns: string[]): string[] {
	const list = ["ls-files", "--cached", "--others", "--exclude-standard", "-z", "--"];
	const output = execFileSync(git, [...list, ...patterns], { encoding: "utf8" });
	return [...new Set(output.split("\0"))].filter((file) => file !== "" && existsSync(file));
}

const MADE = /^(?:coverage|data|dist|node_modules)\//;

/** Removes fenced code blocks, whose paths may belong to another machine. */
function prose(file: string): string {
	return readFileSync(file, "utf8").replace(/^```.*?^```/gms, "");
}

/** Anchors as GitHub generates them. */
function anchorsOf(file: string): string[] {
	return [...prose(file).matchAll(/^#+ (.+)$/gm)].map(([, heading = ""]) =>
		heading
			.toLowerCase()
			.replace(/[^\p{L}\p{N} _-]/gu, "")
			.replaceAll(" ", "-"),
	);
}

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

/** Returns paths in backticks that exist neither in the root nor in the page's folder. */
function brokenPaths(page: string): string[] {
	const codes = [...prose(page).matchAll(/`([^`\n]+)`/g)].map(([, code = ""]) => code);
	return codes
		.filter((code) => /^[\w.@-]+(?:\/[\w.@-]+)*\/(?:[\w@-][\w.@-]*\.\w+)?$/.test(code))
		.filter((path) => !MADE.test(path))
		.filter((path) => !existsSync(path) && !existsSync(resolve(dirname(page), path)));
}

describe.each(findFiles("*.md"))("%s", (page) => {
	it("links to existing files", () => {
		expect(brokenLinks(page)).toEqual([]);
	});

	it("names existing files", () => {
		expect(brokenPaths(page)).toEqual([]);
	});
});
