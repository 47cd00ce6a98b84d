import { readdirSync, readFileSync } from "node:fs";

/**
 * Part of `npm run check`: finds phrases that native readers read twice, in comments, test titles
 * and Markdown. Exits with 1 when there is one.
 */

const OPENERS =
	/^(?:Of|Where|Whoever|Whose|Whom|What|So many|The same|Neither|None|Nobody|Absent|Those|Such|As it|By itself)\b/;

const PHRASES = [
	...["anew", "beside which", "such a one", "such ones", "half-way", "as ever", "by itself"],
	...["by themselves", "at the soonest", "of its own", "of their own", "of ours", "of theirs"],
	...["whoever", "whomever", "of which nobody", "nobody knows", "(?:is|are|was) told"],
	...["(?:it )?says so", "say so", "lets? it go", "stands? in", "stands? there"],
	...["come to nothing", "goes its way", "'s way", "in vain", "once more", "meanwhile"],
	...["on their way", "of now", "heed", "behold"],
];

const PHRASE = new RegExp(`\\b(?:${PHRASES.join("|")})\\b`, "i");

const TITLE = /^\s*(?:test|it|describe)(?:\.\w+)*\(\s*["'`](.+?)["'`]/gm;

const COMMENT = /\/\*[\s\S]*?\*\/|^\s*\/\/.*(?:\n\s*\/\/.*)*/gm;

const commentText = (comment: string) =>
	comment
		.replace(/\*\/$|^\s*(?:\/\*\*?|\*|\/\/)/gm, " ")
		.replace(/\s+/g, " ")
		.trim();

/** Returns phrases to rewrite in a source file or a Markdown page. */
function findProse(file: string, text: string): string[] {
	if (file.endsWith(".md")) return text.split("\n").filter((line) => PHRASE.test(line));
	const titles = Array.from(text.matchAll(TITLE), ([, title]) => title!);
	const comments = Array.from(text.matchAll(COMMENT), ([comment]) => commentText(comment));
	return [...titles, ...comments].filter((prose) => OPENERS.test(prose) || PHRASE.test(prose));
}

/** Legal texts use legal language, and this file lists the phrases. */
const LEFT_OUT = /^src\/site\/legal\/|^src\/tooling\/prose\.ts$|\bnode_modules\b/;

const files = ["engine", "src", "bench", "tests"]
	.flatMap((folder) =>
		readdirSync(folder, { recursive: true, encoding: "utf8" }).map((file) => `${folder}/${file}`),
	)
	.concat("README.md", "vite.config.ts")
	.filter((file) => /\.(?:tsx?|css|md)$/.test(file) && !LEFT_OUT.test(file));
for (const file of files) {
	for (const prose of findProse(file, readFileSync(file, "utf8"))) {
		console.log(`${file}: ${prose.slice(0, 160)}`);
		process.exitCode = 1;
	}
}
