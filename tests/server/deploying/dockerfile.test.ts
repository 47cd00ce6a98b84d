import { cp, mkdir, readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { expect, it } from "vitest";
import { findFreePort } from "../../../bench/harness/built-site.ts";
import { readRegistrations } from "../../read-rows.ts";
import { postJoin, startServer, stopServer } from "../../server-process.ts";
import { temporaryFolder } from "../../temporary.ts";
import { runProgram } from "../commands/command-setup.ts";
import { killServer } from "../kills.ts";

const dockerfile = (await readFile("Dockerfile", "utf8")).replace(/\\\n/g, " ");
const stages = dockerfile.split(/^FROM /m).slice(1);
const image = stages.at(-1)!;
const textsOf = (name: string) =>
	[...image.matchAll(new RegExp(`^${name} +(.*)`, "gm"))].map(([, text]) => text!);
const execForm = (name: string): string[] => JSON.parse(/\[.*\]$/.exec(textsOf(name)[0]!)![0]);
const variables = Object.fromEntries(
	textsOf("ENV").flatMap((text) => text.split(" ").map((pair) => pair.split("="))),
);

const checkHealth = async (folder: string, PORT: string) =>
	(await runProgram(folder, execForm("HEALTHCHECK"), { env: { PORT } })).code;

async function imageFolder(): Promise<string> {
	const folder = await temporaryFolder();
	const lock = JSON.parse(await readFile("package-lock.json", "utf8"));
	const packages = Object.entries<{ dev?: boolean; devOptional?: boolean }>(lock.packages)
		.filter(([path, { dev, devOptional }]) => path !== "" && !dev && !devOptional)
		.map(([path]) => path);
	const script = "src/server/deploying/nightly.sh";
	expect(textsOf("COPY")).toContain(`--from=build /app/${script} ./`);
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

it("runs as an unprivileged user without a shell, and listens on all interfaces", () => {
	expect(textsOf("USER")).toEqual(["node"]);
	expect(execForm("CMD")).toEqual(["node", "dist/server/main.js"]);
	expect(variables).toEqual({
		HOST: "0.0.0.0",
		PORT: "3000",
		DATABASE_URL: "file:/data/waitlist.db",
	});
	// Railway rejects Dockerfiles with VOLUME.
	expect(textsOf("VOLUME")).toEqual([]);
});

it("the build context has the sources, but no key, list or history", async () => {
	const patterns = (await readFile(".dockerignore", "utf8")).match(/^[^#\n].*/gm)!;
	expect(patterns[0]).toBe("*");
	expect(patterns.slice(1).sort()).toEqual([
		...["!bench/harness/tsconfig.json", "!engine", "!package-lock.json", "!package.json", "!src"],
		...["!tests/tsconfig.json", "!tsconfig.json", "!vite.config.ts"],
	]);
});

it("the image serves pages, accepts joins, reports its health, and keeps its list", {
	tags: "slow",
}, async () => {
	const folder = await imageFolder();
	const [, main] = execForm("CMD");
	const data = await temporaryFolder();
	const PORT = String(await findFreePort());
	const env = { ...variables, PORT, DATABASE_URL: `file:${data}/waitlist.db` };
	const start = () => startServer({ folder, main: join(folder, main!), env });
	const first = await start();
	expect((await fetch(first.url)).status).toBe(200);
	expect((await postJoin(first.url, "ada@example.com")).status).toBe(201);
	expect(await checkHealth(folder, PORT)).toBe(0);
	await stopServer(first);
	expect(await checkHealth(folder, PORT)).toBe(1);

	const { DATABASE_URL } = env;
	const words = ["sh", "nightly.sh", join(data, "backups")];
	const night = await runProgram(folder, words, { env: { DATABASE_URL } });
	expect(night.stdout).toMatch(/^1 person and 0 emails in .*\.db/);

	const second = await start();
	expect((await postJoin(second.url, "ada@example.com")).status).toBe(409);
	await killServer(second);
	expect(readRegistrations(join(data, "waitlist.db"))).toHaveLength(1);
});
