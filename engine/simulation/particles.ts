/**
 * Particles are records in one buffer, written at birth and then constant. Only floats whose scene
 * ends get an earlier death.
 */

/** 32-bit words per record: four `vec4` for a vertex shader. */
export const STRIDE = 16;

/** `birth` and `death` are in `ints`, all others in `floats`. */
export const FIELD = {
	birth: 0, // tick
	death: 1, // first tick at which it is gone; 0 in never-used slots
	kind: 2, // one of KIND
	emoji: 3, // index into EMOJI
	x: 4, // birthplace in world units; turns of an orbit for a caught float (motion.ts)
	y: 5,
	velocityX: 6, // distance in the first tick: world units, spans (sparks) or turns (caught)
	velocityY: 7,
	size: 8, // CSS px
	turn: 9, // turns at birth, counterclockwise
	spin: 10, // turns per tick; drag slows a spark's
	sway: 11, // amplitude in spans; below 0 for a caught float
	swayRate: 12, // waves per tick
	swayPhase: 13, // waves at birth
	fadeIn: 14, // ticks after birth
	fadeOut: 15, // ticks before death
} as const;

export const KIND = { float: 0, rocket: 1, spark: 2 } as const;
export type KindName = keyof typeof KIND;
export const KIND_NAMES = Object.keys(KIND) as readonly KindName[];

/** Two views of one buffer: ticks as integers, the rest as floats. */
export interface Records {
	readonly floats: Float32Array;
	readonly ints: Int32Array;
}

export function createRecords(slots: number): Records {
	const buffer = new ArrayBuffer(slots * STRIDE * 4);
	return { floats: new Float32Array(buffer), ints: new Int32Array(buffer) };
}

/** @param time ticks and fractions */
export function isAlive(records: Records, slot: number, time: number): boolean {
	const record = slot * STRIDE;
	return time >= records.ints[record + FIELD.birth] && time < records.ints[record + FIELD.death];
}

/** Whether a float orbits the sphere. */
export function isCaught({ floats }: Records, slot: number): boolean {
	return floats[slot * STRIDE + FIELD.sway] < 0;
}
