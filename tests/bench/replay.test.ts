import { execFile } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../temporary.ts";

function replay(...args: string[]): Promise<{ code: number; output: string }> {
	const command = ["src/tooling/run.js", "bench/replay/replay.ts", ...args];
	return new Promise((resolve) => {
		execFile(process.execPath, command, (error, stdout, stderr) =>
			resolve({ code: error === null ? 0 : Number(error.code), output: stdout + stderr }),
		);
	});
}

test("records a run, plays it again, and names the first tick, slot and field that differ", async () => {
	const file = join(await temporaryFolder(), "a.txt");
	const options = ["--seed", "7", "--ticks", "700", "--change", "500:drift"];
	expect(await replay("--record", file, ...options)).toEqual({ code: 0, output: "" });
	expect(await replay(file)).toEqual({ code: 0, output: "The replay is identical.\n" });
	const lines = (await readFile(file, "utf8")).split("\n");
	const [tick, slot, ...words] = lines[90]!.split(" ");
	words[3] = "41200000";
	lines[90] = [tick, slot, ...words].join(" ");
	await writeFile(file, lines.join("\n"));
	const { code, output } = await replay(file);
	expect(code).toBe(1);
	expect(output).toContain(`  tick ${tick}, slot ${slot}, emoji 10 (41200000)\n`);
});

test("rejects unknown scenes, broken files and missing arguments", async () => {
	const file = join(await temporaryFolder(), "b.txt");
	expect(await replay("--record", file, "--scene", "snow")).toMatchObject({ code: 2 });
	await writeFile(file, "{}");
	expect(await replay(file)).toMatchObject({ code: 2 });
	expect(await replay()).toMatchObject({ code: 2, output: expect.stringContaining("Usage:") });
});
