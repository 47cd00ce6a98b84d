/**
 * What tells one kind of particle from another. Rings, steps, seeks, uploads and counts follow from
 * this list: a new kind is a name in `KIND`, a file that writes its records, an entry here, and how it
 * moves and looks (engine/README.md).
 */
import { FLOAT, writeFloat } from "./drift.ts";
import { ROCKET, SPARK, writeBurst, writeRocket } from "./fireworks.ts";
import { ORBIT } from "./motion.ts";
import { KIND_NAMES, type KindName } from "./particles.ts";
import { type Crowd, DRIFT, DRIFT_BIT, FIREWORKS, FIREWORKS_BIT } from "./rules.ts";

export interface Kind {
	/** What its births are called in counts, and its living particles. */
	readonly births: string;
	readonly particles: string;
	/** The bit of the scenes that it belongs to: see `PLAYS`. */
	readonly bit: number;
	/** The crowd that it is born with. */
	readonly crowd: keyof Crowd;
	/** Ticks from one birth to the next, and of the longest life. */
	readonly every: number;
	readonly life: number;
	/** Ticks from the beat of its cadence to the birth: a burst follows the beat of its launch. */
	readonly delay: number;
	/** Particles of one birth. */
	readonly width: number;
	/** Ticks in which the living fade when their scene ends. Without it they live as long as planned. */
	readonly farewell?: number;
	/** The numbers that its records are written with: they belong to the rules. */
	readonly numbers: object;
	/** Writes the records of a birth, from a slot on. */
	readonly write: typeof writeFloat;
}

const drifting = { bit: DRIFT_BIT, crowd: "floats", delay: 0, width: 1 } as const;
const flying = { bit: FIREWORKS_BIT, crowd: "rockets", every: FIREWORKS.every } as const;

const kinds = {
	float: {
		...drifting,
		births: "floats",
		particles: "floats",
		every: DRIFT.every,
		life: DRIFT.life[1] + DRIFT.farewell,
		farewell: DRIFT.farewell,
		numbers: { ...FLOAT, orbit: ORBIT },
		write: writeFloat,
	},
	rocket: {
		...flying,
		births: "rockets",
		particles: "rockets",
		life: FIREWORKS.fuse,
		delay: 0,
		width: 1,
		numbers: ROCKET,
		write: writeRocket,
	},
	spark: {
		...flying,
		births: "bursts",
		particles: "sparks",
		life: FIREWORKS.sparkLife,
		delay: FIREWORKS.fuse,
		width: FIREWORKS.sparks,
		numbers: SPARK,
		write: writeBurst,
	},
} as const satisfies Record<KindName, Kind>;

/** How many have been born, and how many are alive, by kind. */
export interface Counts {
	readonly born: Record<(typeof kinds)[KindName]["births"], number>;
	readonly alive: Record<(typeof kinds)[KindName]["particles"], number>;
}

/** All kinds, in the order of `KIND`. */
export const KINDS: readonly Kind[] = KIND_NAMES.map((name) => kinds[name]);
