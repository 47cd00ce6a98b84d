import { expect, test } from "vitest";
import { SCENARIOS } from "../../../bench/harness/scenarios.ts";
import { rulesFingerprint } from "../../../engine/simulation/fingerprint.ts";
import { FIELD, SCENES } from "../../../engine/simulation/index.ts";
import { compare, type Replay, record, verify } from "../../../engine/simulation/replay.ts";
import { MARKS } from "./marks.ts";

const visit = SCENARIOS.find(({ name }) => name === "visit 42")!;
const replay = record(visit.seed, visit.inputs, 600, 60);

/** The recording with one changed word in a field of its `write`th record. */
function plant(write: number, field: keyof typeof FIELD): Replay {
	const writes = replay.writes.map((entry, i) => {
		if (i !== write) return entry;
		const [tick, slot, words] = entry;
		const at = FIELD[field] * 8;
		return [tick, slot, `${words.slice(0, at)}deadbeef${words.slice(at + 8)}`] as const;
	});
	return { ...replay, writes };
}

test("a recording ends where the scenario does", () => {
	const [tick, print, , , , floats, rockets, sparks] = replay.checkpoints.at(-1)!;
	expect(`${tick} ${print} ${floats} ${rockets} ${sparks}`).toBe(MARKS["visit 42"]![2]);
	expect(replay.checkpoints).toHaveLength(10);
});

test("a recording of other rules is reported as foreign, not as diverged", () => {
	const verdict = verify({ ...replay, rules: "0123456789abcdef" });
	expect(verdict).toEqual({
		state: "foreign",
		reason: `It was recorded by the rules 0123456789abcdef; these are ${rulesFingerprint()}.`,
	});
	expect(verify({ ...replay, ticksPerSecond: 64 })).toEqual({
		state: "foreign",
		reason: "It was recorded at 64 ticks a second; here are 60.",
	});
});

test.each([
	[0, "emoji"],
	[5, "size"],
	[90, "velocityY"],
	[replay.writes.length - 1, "death"],
] as const)(
	"a difference in write %d is found, down to tick, slot and field %s",
	(write, field) => {
		const planted = plant(write, field);
		const [tick, slot, words] = replay.writes[write]!;
		const verdict = verify(planted);
		expect(verdict).toMatchObject({
			state: "diverged",
			difference: {
				tick,
				slot,
				field,
				values: ["deadbeef", words.slice(FIELD[field] * 8).slice(0, 8)],
			},
		});
	},
);

test("the first of several differences is reported", () => {
	const twice = {
		...replay,
		writes: [...plant(40, "x").writes.slice(0, 60), ...plant(80, "y").writes.slice(60)],
	};
	const [tick, slot] = replay.writes[40]!;
	expect(compare(twice, replay).difference).toMatchObject({ tick, slot, field: "x" });
});

test("another seed differs from the first tick, at every checkpoint", () => {
	const { difference, checkpoints } = compare(replay, record(43, visit.inputs, 600, 60));
	expect(difference).toMatchObject({ tick: 1, slot: 0 });
	expect(checkpoints).toEqual(replay.checkpoints.map(([tick]) => tick));
});

test("a forged checkpoint is reported even if all records agree", () => {
	const checkpoints = replay.checkpoints.map((point, i) =>
		i === 3
			? ([point[0], "0".repeat(16), ...point.slice(2)] as Replay["checkpoints"][number])
			: point,
	);
	expect(verify({ ...replay, checkpoints })).toEqual({
		state: "diverged",
		difference: undefined,
		checkpoints: [240],
	});
});

test("scenes keep their numbers, which files use", () => {
	expect(SCENES).toEqual(["none", "drift", "fireworks", "both"]);
});
