import { LAST_TICK, SCENES, STRIDE } from "../engine/simulation/index.ts";
import type { Replay } from "../engine/simulation/replay.ts";

/**
 * Reads a recording.
 * @throws Error with a sentence that says what is wrong with the file
 */
export function parseReplay(text: string): Replay {
	const refuse = (what: string) => new Error(`This is no replay: ${what}.`);
	let value: unknown;
	try {
		value = JSON.parse(text);
	} catch {
		throw refuse("it is not JSON");
	}
	if (typeof value !== "object" || value === null) throw refuse("it is not an object");
	const it = value as Record<string, unknown>;
	const isTick = (n: unknown) => Number.isInteger(n) && Number(n) >= 0 && Number(n) <= LAST_TICK;
	const isHex = (digits: number, s: unknown) =>
		typeof s === "string" && s.length === digits && /^[0-9a-f]*$/.test(s);
	const isList = (list: unknown, fits: (row: unknown[]) => boolean) =>
		Array.isArray(list) && list.every((row) => Array.isArray(row) && isTick(row[0]) && fits(row));
	if (it.format !== "replay" || it.version !== 1)
		throw refuse('its format must be "replay" and its version 1');
	if (!isHex(16, it.rules)) throw refuse("its rules must be 16 hex digits");
	if (!isHex(8, it.seed)) throw refuse("its seed must be 8 hex digits");
	if (!isTick(it.ticks) || !isTick(it.ticksPerSecond)) throw refuse("its ticks must be an integer");
	if (!isList(it.inputs, ([, scene]) => Number.isInteger(scene) && Number(scene) in SCENES))
		throw refuse("its inputs must be pairs of a tick and a scene from 0 to 3");
	if (!isList(it.checkpoints, ([, print, ...counts]) => isHex(16, print) && counts.every(isTick)))
		throw refuse("its checkpoints must be a tick, 16 hex digits and integers");
	if (!isList(it.writes, ([, slot, words]) => isTick(slot) && isHex(STRIDE * 8, words)))
		throw refuse(`its writes must be a tick, a slot and ${STRIDE * 8} hex digits`);
	return value as Replay;
}
