import { execFile } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { cp, mkdir, readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { expect, it } from "vitest";
import { freePort } from "../../../bench/harness/built-site.ts";
import { readRows } from "../../read-rows.ts";
import { postEmail, startServer } from "../../server-process.ts";
import { temporaryFolder } from "../../temporary.ts";
import { kill } from "../kills.ts";

/** One instruction of a Dockerfile. */
interface Instruction {
	name: string;
	/** What follows the name, on one line. */
	text: string;
}

/** What one FROM makes. */
interface Stage {
	base: string;
	instructions: Instruction[];
}

/** Reads the stages of a Dockerfile (docs.docker.com/reference/dockerfile); the last one is the image. */
function readDockerfile(file: string): Stage[] {
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
function textsOf({ instructions }: Stage, name: string): string[] {
	return instructions.filter((instruction) => instruction.name === name).map(({ text }) => text);
}

/** The words of a command in exec form, which runs without a shell; undefined in another form. */
function execForm(text: string): string[] | undefined {
	const [, json] = /(?:^|CMD\s+)(\[.*\])$/.exec(text) ?? [];
	return json === undefined ? undefined : (JSON.parse(json) as string[]);
}

/** The variables of ENV, as in `HOST=0.0.0.0 PORT=3000`. */
function variables(texts: readonly string[]): Record<string, string> {
	const pairs = texts.flatMap((text) => text.split(/\s+/)).map((pair) => pair.split("="));
	return Object.fromEntries(pairs.map(([name, value = ""]) => [name, value.replaceAll('"', "")]));
}

/** The files of a folder that `.dockerignore` lets into a build: the last pattern that fits decides. */
function contextOf(folder: string): string[] {
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

const { engines } = JSON.parse(await readFile("package.json", "utf8"));
const stages = readDockerfile("Dockerfile");
const image = stages.at(-1)!;
const [health] = textsOf(image, "HEALTHCHECK").map(execForm);

/** The exit code of the image's health check. */
const checkHealth = (folder: string, port: number) =>
	new Promise<number | null>((resolve) => {
		const [program, ...args] = health!;
		const env = { PATH: process.env.PATH, PORT: String(port) };
		const check = execFile(program!, args, { env, cwd: folder }, () => resolve(check.exitCode));
	});

/** A folder with what the image gets, and the packages of production only. */
async function imageFolder(): Promise<string> {
	const folder = await temporaryFolder();
	const lock = JSON.parse(await readFile("package-lock.json", "utf8"));
	const packages = Object.entries<{ dev?: boolean; devOptional?: boolean }>(lock.packages)
		.filter(([path, { dev, devOptional }]) => path !== "" && !dev && !devOptional)
		.map(([path]) => path);
	const script = "src/server/deploying/nightly.sh";
	expect(textsOf(image, "COPY")).toContain(`--from=build /app/${script} ./`);
	await cp(script, join(folder, "nightly.sh"));
	for (const path of ["package.json", "dist", ...packages]) {
		await mkdir(dirname(join(folder, path)), { recursive: true });
		await cp(path, join(folder, path), {
			recursive: true,
			filter: (from) => !/sqlite\/(?:src|prebuilds\/(?!linux-))/.test(from),
		});
	}
	return folder;
}

it("builds in one stage and runs in another, on one Node that the product supports", () => {
	expect(stages).toHaveLength(2);
	const [, oldest] = /^>=(\d+)\./.exec(engines.node)!;
	for (const { base } of stages) {
		const [, major] = /^node:(\d+)\.\d+\.\d+-/.exec(base)!;
		expect(Number(major)).toBeGreaterThanOrEqual(Number(oldest));
	}
	expect(image.base).toBe(stages[0]!.base);
});

it("runs as an ordinary user, without a shell, where everybody can reach it", () => {
	expect(textsOf(image, "USER")).toEqual(["node"]);
	expect(textsOf(image, "CMD").map(execForm)).toEqual([["node", "dist/server/main.js"]]);
	expect(variables(textsOf(image, "ENV"))).toEqual({
		HOST: "0.0.0.0",
		PORT: "3000",
		DATABASE_URL: "file:/data/waitlist.db",
	});
	// Railway refuses a Dockerfile that has one.
	expect(textsOf(image, "VOLUME")).toEqual([]);
});

it("a build gets the sources, and no key, list or history", () => {
	const context = contextOf(".");
	const tops = new Set(context.map((path) => path.split("/")[0]));
	expect([...tops].sort()).toEqual([
		"bench",
		"engine",
		"package-lock.json",
		"package.json",
		"src",
		"tests",
		"tsconfig.json",
		"vite.config.ts",
	]);
	expect(context.filter((path) => /^(?:bench|tests)\//.test(path)).sort()).toEqual([
		"bench/harness/tsconfig.json",
		"tests/tsconfig.json",
	]);
});

it("what the image holds serves, joins, says whether it is well, and keeps its list", {
	tags: "slow",
}, async () => {
	const folder = await imageFolder();
	const [, main] = execForm(textsOf(image, "CMD")[0]!)!;
	const data = await temporaryFolder();
	const PORT = String(await freePort());
	const env = {
		...variables(textsOf(image, "ENV")),
		PORT,
		DATABASE_URL: `file:${data}/waitlist.db`,
	};
	const start = () => startServer({ folder, main: join(folder, main!), env });
	const first = await start();
	expect((await fetch(first.url)).status).toBe(200);
	expect((await postEmail(first.url, "ada@example.com")).status).toBe(201);
	expect(await checkHealth(folder, Number(PORT))).toBe(0);
	first.process.kill("SIGTERM");
	expect(await first.ended).toBe(0);
	expect(await checkHealth(folder, Number(PORT))).toBe(1);

	const night = promisify(execFile)("sh", ["nightly.sh", join(data, "backups")], {
		cwd: folder,
		env: { PATH: process.env.PATH, DATABASE_URL: env.DATABASE_URL },
	});
	expect((await night).stdout).toMatch(/^1 people and 0 emails in .*\.db/);

	const second = await start();
	expect((await postEmail(second.url, "ada@example.com")).status).toBe(409);
	await kill(second);
	expect(readRows(join(data, "waitlist.db"))).toHaveLength(1);
});
