import { execFile } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { temporaryFolder } from "../harness/temporary.ts";

export interface NodeProbe {
	readonly folder: string;
	/** Names of the arms. Each names the global of one probe copy. */
	readonly arms: readonly string[];
	remove(): void;
}

/**
 * Plain scripts for separate processes, because modules imported by Vitest or Vite's runner have a
 * cost per call.
 * @param codes bundled probes, by the name of the global each becomes
 */
export async function writeProbe(codes: Readonly<Record<string, string>>): Promise<NodeProbe> {
	const { folder, remove } = await temporaryFolder("bench-");
	const arms = Object.keys(codes);
	for (const arm of arms) await writeFile(join(folder, `${arm}.js`), isolate(codes[arm]!, arm));
	return { folder, arms, remove };
}

/**
 * The comment makes the texts of equal arms differ, so that V8 shares neither compiled code nor
 * type feedback.
 */
export function isolate(code: string, arm: string): string {
	return `globalThis[${JSON.stringify(arm)}] = (() => { /* ${arm} */\n${code}\nreturn bundle; })();`;
}

/**
 * @param order in which the scripts are loaded
 * @returns the function's result
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
