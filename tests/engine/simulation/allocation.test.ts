import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { bundle } from "../../../bench/harness/bundle.ts";

/** A young generation so large that nothing is collected during the measurement. */
const FLAGS = ["--expose-gc", "--min-semi-space-size=64", "--max-semi-space-size=64"];

const STEPS = 100_000;
const SUBJECTS = ["keepObjects", "stepOnly", "stepAndRead"] as const;

/** Bytes per step of each subject, and proof of progress. */
type Measured = Record<(typeof SUBJECTS)[number], number> & {
	before: { tick: number; alive: number };
	after: { tick: number; alive: number };
};

/** Runs in Node. Returns the minimum of several samples, because unrelated allocations only add. */
const NODE_METER = `
	const used = () => require("node:v8").getHeapStatistics().used_heap_size;
	const measured = { before: bundle.whereabouts() };
	for (const name of ${JSON.stringify(SUBJECTS)}) {
		bundle[name](${STEPS});
		bundle[name](${STEPS});
		measured[name] = Infinity;
		for (let sample = 0; sample < 5; sample++) {
			gc();
			const before = used();
			bundle[name](${STEPS});
			measured[name] = Math.min(measured[name], (used() - before) / ${STEPS});
		}
	}
	measured.after = bundle.whereabouts();
	console.log(JSON.stringify(measured));
`;

async function measureInNode(code: string): Promise<Measured> {
	const folder = await mkdtemp(join(tmpdir(), "allocation-"));
	try {
		const file = join(folder, "meter.cjs");
		await writeFile(file, `${code}\n${NODE_METER}`);
		const { stdout } = await promisify(execFile)(process.execPath, [...FLAGS, file]);
		return JSON.parse(stdout) as Measured;
	} finally {
		await rm(folder, { recursive: true });
	}
}

test("a step allocates less than a quarter of one object", async () => {
	const measured = await measureInNode(await bundle("tests/engine/simulation/allocation-probe.ts"));
	const { keepObjects: control, stepOnly, stepAndRead, before, after } = measured;
	// The meter works: it measures one object per step, 16 bytes with compressed pointers.
	expect(control).toBeGreaterThanOrEqual(15);
	expect(control).toBeLessThan(64);
	// The simulation ran all steps, with many particles alive.
	expect(after.tick - before.tick).toBe(2 * 7 * STEPS);
	expect(Math.min(before.alive, after.alive)).toBeGreaterThan(50);
	expect(stepOnly, JSON.stringify(measured)).toBeLessThan(control / 4);
	expect(stepAndRead, JSON.stringify(measured)).toBeLessThan(control / 4);
});
