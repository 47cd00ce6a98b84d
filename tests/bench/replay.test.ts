import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { build } from "vite";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { SCENARIOS } from "../../bench/harness/scenarios.ts";
import { FIELD } from "../../engine/simulation/index.ts";
import { record } from "../../engine/simulation/replay.ts";

const visit = SCENARIOS.find(({ name }) => name === "visit 42")!;
const replay = record(visit.seed, visit.inputs, 600, 60);

describe("npm run replay", () => {
	let folder = "";
	beforeAll(async () => {
		folder = await mkdtemp(join(tmpdir(), "replay-"));
		// Built once for all calls: starting Vite for each would take longer than their work.
		await build({
			configFile: false,
			logLevel: "error",
			build: {
				ssr: "bench/replay/replay.ts",
				outDir: folder,
				rolldownOptions: { output: { entryFileNames: "replay.mjs" } },
			},
		});
	});
	afterAll(() => rm(folder, { recursive: true }));

	function run(...args: string[]): Promise<{ code: number; output: string }> {
		return new Promise((resolve) => {
			const command = [join(folder, "replay.mjs"), ...args];
			execFile(process.execPath, command, (error, stdout, stderr) =>
				resolve({ code: error === null ? 0 : Number(error.code), output: stdout + stderr }),
			);
		});
	}

	test("records a file and verifies it", async () => {
		const file = join(folder, "a.json");
		const recorded = await run(
			"--record",
			file,
			"--seed",
			"7",
			"--ticks",
			"700",
			"--change",
			"500:drift",
		);
		expect(recorded.output).toContain(
			`Recorded to ${file}: seed 00000007, both from tick 0, drift from tick 500`,
		);
		const played = await run(file);
		expect(played).toMatchObject({
			code: 0,
			output: expect.stringContaining("The replay is identical."),
		});
	});

	test("prints tick, slot and field of a difference and continues", async () => {
		const file = join(folder, "b.json");
		const writes = replay.writes.map(([tick, slot, words], i) => {
			const planted = `${words.slice(0, FIELD.turn * 8)}deadbeef${words.slice(FIELD.turn * 8 + 8)}`;
			return [tick, slot, i === 90 ? planted : words];
		});
		await writeFile(file, JSON.stringify({ ...replay, writes }));
		const { code, output } = await run(file);
		const [tick, slot] = replay.writes[90]!;
		expect(code).toBe(1);
		expect(output).toContain(`They differ from tick ${tick}, first in slot ${slot}, field turn:`);
		expect(output).toContain("recorded: deadbeef");
		expect(output).toContain("Played to the end, tick 600.");
	});

	test("rejects foreign rules, broken files and unknown words", async () => {
		const file = join(folder, "c.json");
		await writeFile(file, JSON.stringify({ ...replay, rules: "0".repeat(16) }));
		expect(await run(file)).toMatchObject({
			code: 2,
			output: expect.stringContaining("Refused: It was recorded by the rules"),
		});
		await writeFile(file, "{}");
		expect(await run(file)).toMatchObject({
			code: 2,
			output: expect.stringContaining("Not a replay"),
		});
		expect(await run()).toMatchObject({ code: 2, output: expect.stringContaining("Usage:") });
		expect(await run("--record", file, "--scene", "snow")).toMatchObject({
			code: 2,
			output: expect.stringContaining('"snow" is not a scene'),
		});
		expect(await run("--record", file, "--ticks", "1000000000")).toMatchObject({
			code: 2,
			output: "--ticks is 1000000000; it must be at most 216000.\n",
		});
		expect(await readFile(file, "utf8")).toBe("{}");
	});
});
