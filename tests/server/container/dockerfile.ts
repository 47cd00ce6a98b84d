import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** One instruction of a Dockerfile. */
interface Instruction {
	name: string;
	/** What follows the name, on one line. */
	text: string;
}

/** What one FROM makes. */
export interface Stage {
	base: string;
	instructions: Instruction[];
}

/**
 * Reads a Dockerfile (docs.docker.com/reference/dockerfile), as far as ours goes.
 *
 * @returns its stages; the last one is the image
 */
export function readDockerfile(file: string): Stage[] {
	const text = readFileSync(file, "utf8")
		.replace(/^\s*#.*\n/gm, "")
		.replace(/\\\n/g, " ");
	const stages: Stage[] = [];
	for (const line of text.split("\n")) {
		const [, name, rest = ""] = /^([A-Z]+)\s+(.*?)\s*$/.exec(line) ?? [];
		if (!name) {
			if (line.trim() !== "") throw new Error(`This is no instruction: ${line}`);
			continue;
		}
		if (name === "FROM") {
			stages.push({ base: rest.split(/\s+/)[0]!, instructions: [] });
		} else stages.at(-1)!.instructions.push({ name, text: rest });
	}
	return stages;
}

/** The texts of a stage's instructions of one name, in their order. */
export function textsOf({ instructions }: Stage, name: string): string[] {
	return instructions.filter((instruction) => instruction.name === name).map(({ text }) => text);
}

/** The words of a command in exec form, which runs without a shell; undefined in another form. */
export function execForm(text: string): string[] | undefined {
	const [, json] = /(?:^|CMD\s+)(\[.*\])$/.exec(text) ?? [];
	return json === undefined ? undefined : (JSON.parse(json) as string[]);
}

/** The variables of ENV, as in `HOST=0.0.0.0 PORT=3000`. */
export function variables(texts: readonly string[]): Record<string, string> {
	const pairs = texts.flatMap((text) => text.split(/\s+/)).map((pair) => pair.split("="));
	return Object.fromEntries(pairs.map(([name, value = ""]) => [name, value.replaceAll('"', "")]));
}

/** The files of a folder that `.dockerignore` lets into a build: the last pattern that fits decides. */
export function contextOf(folder: string): string[] {
	const patterns = readFileSync(join(folder, ".dockerignore"), "utf8")
		.split("\n")
		.filter((line) => line !== "" && !line.startsWith("#"))
		.map((line) => ({ keeps: line.startsWith("!"), path: line.replace(/^!/, "") }));
	const fits = (path: string, pattern: string) =>
		pattern === "*" || path === pattern || path.startsWith(`${pattern}/`);
	const walk = (path: string): string[] =>
		readdirSync(join(folder, path), { withFileTypes: true }).flatMap((entry) => {
			const inner = path === "" ? entry.name : `${path}/${entry.name}`;
			const kept = patterns.findLast((pattern) => fits(inner, pattern.path))?.keeps ?? true;
			if (!entry.isDirectory()) return kept ? [inner] : [];
			const mayKeep =
				kept || patterns.some(({ keeps, path }) => keeps && path.startsWith(`${inner}/`));
			return mayKeep ? walk(inner) : [];
		});
	return walk("");
}
