/** The particle kinds. engine/README.md lists what a new kind needs. */

import { writeBurst, writeRocket } from "./fireworks.ts";
import { writeFloat } from "./floats.ts";
import { KIND_NAMES, type KindName } from "./particles.ts";
import { type BirthPlan, DRIFT, DRIFT_BIT, FIREWORKS, FIREWORKS_BIT } from "./rules.ts";

export interface Kind {
	readonly births: string;
	readonly particles: string;
	/** The bit of `SCENE_BITS` that is set for scenes with this kind. */
	readonly bit: number;
	readonly plan: keyof BirthPlan;
	readonly every: number; // ticks between births
	readonly life: number; // maximum, in ticks
	/** Ticks from a rocket's launch to its burst; 0 for other births. */
	readonly delay: number;
	readonly width: number; // slots per birth
	/** Ticks in which particles fade when their scene ends. If omitted, they live on. */
	readonly farewell?: number;
	readonly write: typeof writeFloat;
}

const drifting = { bit: DRIFT_BIT, plan: "floats", delay: 0, width: 1 } as const;
const flying = { bit: FIREWORKS_BIT, plan: "rockets", every: FIREWORKS.every } as const;

const kinds = {
	float: {
		...drifting,
		births: "floats",
		particles: "floats",
		every: DRIFT.every,
		life: DRIFT.life[1] + DRIFT.farewell,
		farewell: DRIFT.farewell,
		write: writeFloat,
	},
	rocket: {
		...flying,
		births: "rockets",
		particles: "rockets",
		life: FIREWORKS.fuse,
		delay: 0,
		width: 1,
		write: writeRocket,
	},
	spark: {
		...flying,
		births: "bursts",
		particles: "sparks",
		life: FIREWORKS.sparkLife,
		delay: FIREWORKS.fuse,
		width: FIREWORKS.sparks,
		write: writeBurst,
	},
} as const satisfies Record<KindName, Kind>;

export interface ParticleCounts {
	readonly born: Record<(typeof kinds)[KindName]["births"], number>;
	readonly alive: Record<(typeof kinds)[KindName]["particles"], number>;
}

export const KINDS: readonly Kind[] = KIND_NAMES.map((name) => kinds[name]);
