/** @module-tag slow */
import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { bundle } from "../../../bench/harness/bundle.ts";

// In separate processes, bundled as for a page: Vitest's imports cost time at every call.
let folder = "";
beforeAll(async () => {
	folder = await mkdtemp(join(tmpdir(), "cost-"));
	await writeFile(join(folder, "probe.cjs"), await bundle("tests/engine/simulation/cost-probe.ts"));
	await writeFile(
		join(folder, "run.cjs"),
		`const { readFileSync } = require("node:fs");
		(0, eval)(readFileSync(${JSON.stringify(join(folder, "probe.cjs"))}, "utf8"));
		console.log(JSON.stringify((0, eval)(process.argv[2])));`,
	);
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function run<Result>(expression: string): Promise<Result> {
	const { stdout } = await promisify(execFile)(process.execPath, [
		join(folder, "run.cjs"),
		expression,
	]);
	return JSON.parse(stdout) as Result;
}

/** Slower code fails every attempt; interference passes. */
const patient = { retry: 2 };

test.each([10_000, 1_000_000])(
	"a step with %d alive costs as much as with 100, at equal births",
	patient,
	async (many) => {
		const found = await run<number>(`bundle.manyOverFew(${many}, 100, 15)`);
		expect(found).toBeLessThan(2);
	},
);

test("a seek across half a year costs as much as one across minutes", patient, async () => {
	const found = await run<number>("bundle.farOverNear(31)");
	expect(found).toBeLessThan(1.5);
});
