/**
 * Where particles are kept: one buffer of records, written at birth and not touched while the
 * particle lives (but for the death of floats whose scene ends). It is what the GPU draws from and
 * what fingerprints are taken of.
 */

/** Words of 32 bits in a record: four `vec4` for a vertex shader. */
export const STRIDE = 16;

/** Places of the words in a record. `birth` and `death` are in `ints`, all others in `floats`. */
export const FIELD = {
	/** Tick of birth. */
	birth: 0,
	/** First tick at which it is gone. Never-used slots have 0 and are gone from the start. */
	death: 1,
	/** One of `KIND`. */
	kind: 2,
	/** Place in `EMOJI`. */
	emoji: 3,
	/** Where it is born, in the world's units. */
	x: 4,
	y: 5,
	/** Way in the first tick: world units for floats and rockets, spans for sparks. */
	velocityX: 6,
	velocityY: 7,
	/** CSS px. */
	size: 8,
	/** Turns at birth, counter-clockwise, and turns per tick of travel. */
	turn: 9,
	spin: 10,
	/** Greatest way to the side, in spans; waves per tick; waves at birth. */
	sway: 11,
	swayRate: 12,
	swayPhase: 13,
	/** Ticks that it takes to appear after birth, and to vanish before death. */
	fadeIn: 14,
	fadeOut: 15,
} as const;

export const KIND = { float: 0, rocket: 1, spark: 2 } as const;

/** One buffer seen twice: whole ticks as integers, everything else as 32-bit floats. */
export interface Records {
	readonly floats: Float32Array;
	readonly ints: Int32Array;
}

export function createRecords(slots: number): Records {
	const buffer = new ArrayBuffer(slots * STRIDE * 4);
	return { floats: new Float32Array(buffer), ints: new Int32Array(buffer) };
}

/** Whether the particle in a slot is there at a tick (or between two). */
export function isAlive(records: Records, slot: number, time: number): boolean {
	const record = slot * STRIDE;
	return time >= records.ints[record + FIELD.birth] && time < records.ints[record + FIELD.death];
}
