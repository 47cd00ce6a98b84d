import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "vite";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { SCENARIOS } from "../../bench/harness/scenarios.ts";
import { parseReplay } from "../../bench/replay/replay-file.ts";
import { FIELD } from "../../engine/simulation/index.ts";
import { record, verify } from "../../engine/simulation/replay.ts";

const visit = SCENARIOS.find(({ name }) => name === "visit 42")!;
const replay = record(visit.seed, visit.inputs, 600, 60);

test("a recording plays the same again after it went through a file", () => {
	expect(verify(parseReplay(JSON.stringify(replay)))).toEqual({
		state: "same",
		difference: undefined,
		checkpoints: [],
	});
});

describe("what is no replay is refused in a sentence", () => {
	const cases: [string, unknown][] = [
		["it is not an object", 5],
		["its format must be", { ...replay, format: "film" }],
		["its format must be", { ...replay, version: 2 }],
		["its rules must be 16 hex digits", { ...replay, rules: "X" }],
		["its seed must be 8 hex digits", { ...replay, seed: "2a" }],
		["its ticks must be from 0 to 216000", { ...replay, ticks: 1.5 }],
		["its ticks must be from 0 to 216000", { ...replay, ticks: 1_000_000_000 }],
		["its ticksPerSecond must be", { ...replay, ticksPerSecond: 0 }],
		["its inputs must be pairs", { ...replay, inputs: [[0, 1, 2]] }],
		["its inputs must be pairs", { ...replay, inputs: [[0]] }],
		[
			"its inputs must be pairs",
			{
				...replay,
				inputs: [
					[5, 1],
					[5, 2],
				],
			},
		],
		["its checkpoints must be", { ...replay, checkpoints: [replay.checkpoints[0]!.slice(0, 2)] }],
		["its checkpoints must be", { ...replay, checkpoints: [...replay.checkpoints].reverse() }],
		["its checkpoints must be", { ...replay, ticks: 599 }],
		["its writes must be", { ...replay, writes: [...replay.writes].reverse() }],
		["its writes must be", { ...replay, writes: [[1, 1e9, "0".repeat(128)]] }],
		["its writes must be", { ...replay, writes: [[1, 0, "0".repeat(128), 0]] }],
		["its inputs must be pairs", { ...replay, inputs: [[0, 4]] }],
		["its inputs must be pairs", { ...replay, inputs: [[0, "length"]] }],
		["its checkpoints must be", { ...replay, checkpoints: [[600, "zz"]] }],
		["its writes must be", { ...replay, writes: [[1, 0, "00"]] }],
	];
	test.each(cases)("%s", (sentence, value) => {
		expect(() => parseReplay(JSON.stringify(value))).toThrow(`This is no replay: ${sentence}`);
	});

	test("it is not JSON", () => {
		expect(() => parseReplay("{")).toThrow("This is no replay: it is not JSON.");
	});
});

describe("npm run replay", () => {
	let folder = "";
	beforeAll(async () => {
		folder = await mkdtemp(join(tmpdir(), "replay-"));
		// Once for all calls: starting Vite for each takes longer than what they do.
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

	test("records a file and finds that the same comes out", async () => {
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
			output: expect.stringContaining("The same came out."),
		});
	});

	test("prints tick, slot and field of a difference and plays on", async () => {
		const file = join(folder, "b.json");
		const writes = replay.writes.map(([tick, slot, words], i) => {
			const planted = `${words.slice(0, FIELD.turn * 8)}deadbeef${words.slice(FIELD.turn * 8 + 8)}`;
			return [tick, slot, i === 90 ? planted : words];
		});
		await writeFile(file, JSON.stringify({ ...replay, writes }));
		const { code, output } = await run(file);
		const [tick, slot] = replay.writes[90]!;
		expect(code).toBe(1);
		expect(output).toContain(
			`They differ from tick ${tick} on, first in slot ${slot}, field turn:`,
		);
		expect(output).toContain("recorded: deadbeef");
		expect(output).toContain("Played to the end, tick 600.");
	});

	test("is quiet when nobody reads what it prints", async () => {
		const command = spawn(
			process.execPath,
			["src/tooling/run.js", "bench/replay/replay.ts", "--help"],
			{
				cwd: fileURLToPath(new URL("../..", import.meta.url)),
			},
		);
		command.stdout.destroy();
		let complaints = "";
		command.stderr.on("data", (text) => {
			complaints += text;
		});
		const [code] = await once(command, "close");
		expect({ code, complaints }).toEqual({ code: 0, complaints: "" });
	});

	test("refuses foreign rules, broken files and unknown words", async () => {
		const file = join(folder, "c.json");
		await writeFile(file, JSON.stringify({ ...replay, rules: "0".repeat(16) }));
		expect(await run(file)).toMatchObject({
			code: 2,
			output: expect.stringContaining("Refused: It was recorded by the rules"),
		});
		await writeFile(file, "{}");
		expect(await run(file)).toMatchObject({
			code: 2,
			output: expect.stringContaining("This is no replay"),
		});
		expect(await run()).toMatchObject({ code: 2, output: expect.stringContaining("Usage:") });
		expect(await run("--record", file, "--scene", "snow")).toMatchObject({
			code: 2,
			output: expect.stringContaining('"snow" is no scene'),
		});
		expect(await run("--record", file, "--ticks", "1000000000")).toMatchObject({
			code: 2,
			output: "--ticks is 1000000000; it must be at most 216000.\n",
		});
		expect(await readFile(file, "utf8")).toBe("{}");
	});
});
