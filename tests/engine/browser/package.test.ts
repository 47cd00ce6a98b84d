/** @module-tag slow */
import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdir, readFile, symlink, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { inflateSync } from "node:zlib";
import { build } from "vite";
import { beforeAll, expect, onTestFinished, test } from "vitest";
import { sharedChromium } from "../../shared.ts";
import { temporaryFolder } from "../../temporary.ts";
import { openStage, serveWithPolicy } from "./engine-stage.ts";

const run = promisify(execFile);

/** The code examples in engine/README.md, in order. */
let page = "";
let viteScript = "";
let nodeScript = "";

beforeAll(async () => {
	await run("npm", ["run", "build:engine"]);
	const [, section = ""] = (await readFile("engine/README.md", "utf8")).split("## Outside");
	[page, viteScript, nodeScript] = [...section.matchAll(/^```\w+\n(.*?)^```/gms)].map(
		([, code = ""]) => code,
	) as [string, string, string];
});

/** Uses the site's strict Content-Security-Policy. @returns the console output */
async function open(folder: string): Promise<string[]> {
	const html = await readFile(join(folder, "index.html"), "utf8");
	const [, script = ""] = html.match(/<script type="module">(.*?)<\/script>/s) ?? [];
	const hash = createHash("sha256").update(script).digest("base64");
	const server = await serveWithPolicy(folder, `'sha256-${hash}'`);
	const { lines, complaints, close } = await openStage(await sharedChromium("software"), server);
	onTestFinished(close);
	await expect.poll(() => [...complaints, ...lines]).not.toEqual([]);
	return [...complaints, ...lines];
}

async function createProject(): Promise<string> {
	const folder = await temporaryFolder();
	await mkdir(join(folder, "node_modules"));
	await symlink(resolve("dist/engine"), join(folder, "node_modules/orbit-engine"));
	return folder;
}

test("plays in a worker without a bundler", async () => {
	const folder = await temporaryFolder();
	await symlink(resolve("dist/engine"), join(folder, "engine"));
	await writeFile(join(folder, "index.html"), page);
	expect(await open(folder)).toEqual(["worker"]);
});

test("plays in a worker after a Vite build", async () => {
	const folder = await createProject();
	const html = page.replace(
		/<script.*<\/script>/s,
		'<script type="module" src="main.ts"></script>',
	);
	await writeFile(join(folder, "index.html"), html);
	await writeFile(join(folder, "main.ts"), viteScript);
	await build({ root: folder, configFile: false, logLevel: "error" });
	expect(await open(join(folder, "dist"))).toEqual(["worker"]);
});

test("writes a picture in Node", async () => {
	const folder = await createProject();
	await writeFile(join(folder, "picture.mjs"), nodeScript);
	await run(process.execPath, ["picture.mjs"], { cwd: folder });
	const png = await readFile(join(folder, "137.png"));
	expect(png.subarray(16, 24)).toEqual(Buffer.from([0, 0, 2, 128, 0, 0, 1, 144]));
	const pixels = inflateSync(png.subarray(41, -16));
	// 76 sprites of 9 x 9 px: three bursts of 25 sparks, and a rocket. Some overlap or are outside.
	expect(pixels.filter((gray) => gray > 0).length).toBeGreaterThan(60 * 81);
});

test("has no publint or attw errors", async () => {
	await run("npx", ["--yes", "publint@0.3.25", "dist/engine", "--strict"]);
	const attw = ["@arethetypeswrong/cli@0.18.5", "--pack", "dist/engine", "--profile", "esm-only"];
	await run("npx", ["--yes", ...attw]);
});
