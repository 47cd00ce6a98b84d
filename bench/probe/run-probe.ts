import { execFile } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { temporaryFolder } from "../harness/temporary.ts";

/** Scripts as files, to be run by Node in processes of their own. */
export interface NodeProbe {
	readonly folder: string;
	/** Names of the arms: each is the global of its own copy. */
	readonly arms: readonly string[];
	remove(): void;
}

/**
 * Writes scripts down for `runInNode`. Vitest and Vite's runner import modules in ways that cost at
 * every call, so what is measured runs as a plain script in a process of its own.
 * @param codes bundled probes by the name of the global that each is to be
 */
export async function writeProbe(codes: Readonly<Record<string, string>>): Promise<NodeProbe> {
	const { folder, remove } = await temporaryFolder("bench-");
	const arms = Object.keys(codes);
	for (const arm of arms) await writeFile(join(folder, `${arm}.js`), isolate(codes[arm]!, arm));
	return { folder, arms, remove };
}

/**
 * The script under another global. The comment keeps V8 from sharing the compiled code, and with it
 * what it has learned, between arms of the same text.
 */
export function isolate(code: string, arm: string): string {
	return `globalThis[${JSON.stringify(arm)}] = (() => { /* ${arm} */\n${code}\nreturn bundle; })();`;
}

/**
 * What the body of an async function returns in a fresh process in which the scripts are there.
 * @param order in which the scripts are loaded
 */
export async function runInNode(
	{ folder, arms }: NodeProbe,
	body: string,
	{ flags = [], order = arms }: { flags?: readonly string[]; order?: readonly string[] } = {},
): Promise<unknown> {
	const program = `
		const { readFileSync } = require("node:fs");
		const v8 = require("node:v8");
		for (const arm of ${JSON.stringify(order)})
			(0, eval)(readFileSync(${JSON.stringify(folder)} + "/" + arm + ".js", "utf8"));
		(async () => {${body}})().then((value) => console.log(JSON.stringify(value)));`;
	const { stdout } = await promisify(execFile)(process.execPath, [...flags, "-e", program], {
		maxBuffer: 64 * 1024 * 1024,
	});
	return JSON.parse(stdout) as unknown;
}
