import { createSimulation, LAST_TICK, SCENES, STRIDE } from "../../engine/simulation/index.ts";
import type { Replay } from "../../engine/simulation/replay.ts";

/**
 * The longest recording, in ticks: an hour, which is a file of 17 MB. The longest possible run, 193
 * days, would never finish playing.
 */
export const LONGEST_REPLAY = 216_000;

const SLOTS = createSimulation(0, "none").slots;

/** Tick, fingerprint, and six counts of births and live particles. */
const CHECKPOINT_LENGTH = 8;

type Tuple = readonly unknown[];

/** @throws Error with a sentence about the file's mistake */
export function parseReplay(text: string): Replay {
	let value: unknown;
	try {
		value = JSON.parse(text);
	} catch {
		throw refusal("it is not JSON");
	}
	if (typeof value !== "object" || value === null) throw refusal("it must be an object");
	const { format, version, rules, ticksPerSecond, seed, inputs, ticks, checkpoints, writes } =
		value as Record<string, unknown>;
	demand(format === "replay" && version === 1, 'its format must be "replay" and its version 1');
	demand(isHex(16, rules), "its rules must be 16 hex digits");
	demand(isHex(8, seed), "its seed must be 8 hex digits");
	demand(isWithin(1, 1000, ticksPerSecond), "its ticksPerSecond must be an integer from 1 to 1000");
	demand(isWithin(0, LONGEST_REPLAY, ticks), `its ticks must be from 0 to ${LONGEST_REPLAY}`);
	const isTick = (tick: unknown) => isWithin(0, ticks as number, tick);

	const isInput = ([tick, scene, ...rest]: Tuple) =>
		isWithin(0, LAST_TICK, tick) && isWithin(0, SCENES.length - 1, scene) && rest.length === 0;
	demand(
		isListOf(inputs, isInput) && isRising(inputs, 1),
		"its inputs must be pairs of a tick and a scene from 0 to 3, in ascending order",
	);
	const isCheckpoint = (row: Tuple) =>
		row.length === CHECKPOINT_LENGTH &&
		isTick(row[0]) &&
		isHex(16, row[1]) &&
		row.slice(2).every((count) => isWithin(0, 2 ** 31, count));
	demand(
		isListOf(checkpoints, isCheckpoint) && isRising(checkpoints, 1),
		"its checkpoints must be a tick within the recording, 16 hex digits and six counts, in ascending order",
	);
	const isWrite = ([tick, slot, words, ...rest]: Tuple) =>
		isTick(tick) && isWithin(0, SLOTS - 1, slot) && isHex(STRIDE * 8, words) && rest.length === 0;
	demand(
		isListOf(writes, isWrite) && isRising(writes, 0),
		`its writes must be a tick within the recording, a slot below ${SLOTS} and ${STRIDE * 8} hex digits, ordered by tick`,
	);
	return value as Replay;
}

function refusal(what: string): Error {
	return new Error(`Not a replay: ${what}.`);
}

function demand(holds: boolean, what: string): void {
	if (!holds) throw refusal(what);
}

function isWithin(least: number, greatest: number, value: unknown): value is number {
	return Number.isInteger(value) && Number(value) >= least && Number(value) <= greatest;
}

function isHex(digits: number, value: unknown): boolean {
	return typeof value === "string" && value.length === digits && /^[0-9a-f]*$/.test(value);
}

function isListOf(list: unknown, fits: (row: Tuple) => boolean): list is Tuple[] {
	return Array.isArray(list) && list.every((row) => Array.isArray(row) && fits(row));
}

/** Whether each row's tick exceeds the previous one by at least `by`. */
function isRising(rows: readonly Tuple[], by: 0 | 1): boolean {
	return rows.every(([tick], i) => i === 0 || Number(tick) - Number(rows[i - 1]?.[0]) >= by);
}
