/** Converts time into ticks without rounding errors, in integer units: 1,000,000 are a tick. */
import { TICKS_PER_SECOND } from "./rules.ts";

const TICK = 1_000_000;
const MICROSECOND = TICKS_PER_SECOND;

/** A quarter of a second. After a longer stall, the remaining ticks are dropped. */
const MAX_TICKS_PER_FRAME = 15;

export interface Clock {
	lastUs: number; // -1 before the first frame, which yields no tick
	units: number; // since the last whole tick
	fraction: number; // of a tick, from 0 to just under 1
	dropped: number; // ticks dropped after stalls
}

/**
 * Starts at half a tick. From 0, a 60 Hz display's frames, which are never exactly on time, would
 * often yield no tick or two.
 */
export function createClock(): Clock {
	return { lastUs: -1, units: TICK / 2, fraction: 0.5, dropped: 0 };
}

/**
 * Returns the ticks since the previous frame, 0 to `MAX_TICKS_PER_FRAME`. Accepts times that run
 * backward, because a page's first frame time can be 73 ms old (measured in Firefox).
 * @param timeUs integer microseconds from any fixed start
 * @throws RangeError unless it is a nonnegative integer
 */
export function advanceClock(clock: Clock, timeUs: number): number {
	if (!Number.isSafeInteger(timeUs) || timeUs < 0) {
		throw new RangeError(`The time is ${timeUs}; it must be an integer of microseconds.`);
	}
	const elapsedUs = clock.lastUs < 0 ? 0 : Math.max(0, timeUs - clock.lastUs);
	clock.lastUs = Math.max(clock.lastUs, timeUs);
	// Splits off whole seconds, because a long stall's product could exceed the safe integers.
	const seconds = Math.floor(elapsedUs / 1_000_000);
	const units = clock.units + (elapsedUs - seconds * 1_000_000) * MICROSECOND;
	const ticks = seconds * TICKS_PER_SECOND + Math.floor(units / TICK);
	clock.units = units % TICK;
	clock.fraction = clock.units / TICK;
	const played = Math.min(ticks, MAX_TICKS_PER_FRAME);
	clock.dropped += ticks - played;
	return played;
}

/** Ignores the time until the next frame, for example after a pause. */
export function resetClock(clock: Clock): void {
	clock.lastUs = -1;
}
