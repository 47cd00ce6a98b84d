/**
 * Particles are records in one buffer, written at birth and then constant. Only the death of a float
 * moves to an earlier tick if its scene ends.
 */

/** 32-bit words per record: four `vec4` for a vertex shader. */
export const STRIDE = 16;

/** `birth` and `death` are in `ints`, all others in `floats`. */
export const FIELD = {
	birth: 0, // tick
	death: 1, // first tick after its life; 0 in never-used slots
	kind: 2, // one of KIND
	emoji: 3, // index into EMOJI
	x: 4, // at birth, in world units; a caught float's in turns of its orbit (motion.ts)
	y: 5,
	velocityX: 6, // per tick at birth: world units, a spark's spans, a caught float's turns
	velocityY: 7,
	size: 8, // CSS px
	turn: 9, // at birth, in turns counterclockwise
	spin: 10, // turns per tick; a spark's is slowed by drag
	sway: 11, // amplitude in spans; below 0 for a caught float
	swayRate: 12, // sways per tick
	swayPhase: 13, // at birth, as a share of one sway
	fadeIn: 14, // ticks after birth
	fadeOut: 15, // ticks before death
} as const;

/** Append only. Later kinds are drawn first, so floats cover all others. */
export const KIND = { float: 0, rocket: 1, spark: 2 } as const;
export type KindName = keyof typeof KIND;
export const KIND_NAMES = Object.keys(KIND) as readonly KindName[];

/** Two views of one buffer: `birth` and `death` are read as integers, all other fields as floats. */
export interface Records {
	readonly floats: Float32Array;
	readonly ints: Int32Array;
}

export function createRecords(slots: number): Records {
	const buffer = new ArrayBuffer(slots * STRIDE * 4);
	return { floats: new Float32Array(buffer), ints: new Int32Array(buffer) };
}

export function isAlive(records: Records, slot: number, time: number): boolean {
	const record = slot * STRIDE;
	return time >= records.ints[record + FIELD.birth] && time < records.ints[record + FIELD.death];
}

/** Whether a float orbits the sphere. */
export function isCaught({ floats }: Records, slot: number): boolean {
	return floats[slot * STRIDE + FIELD.sway] < 0;
}
