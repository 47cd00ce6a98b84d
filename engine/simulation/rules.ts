/**
 * The particle rules of the specification, in whole ticks: 180 additions of 1/60 do not make 3
 * seconds.
 */

/** Simulated time, independent of the display's rate. */
export const TICKS_PER_SECOND = 60;

/** Ticks; sizes in CSS px. */
export const DRIFT = {
	initial: 6, // present from the start
	every: 60, // 1 s between births
	life: [720, 3000], // 12 s to 50 s before the farewell
	farewell: 60, // 1 s more to fade away
	size: [24, 120],
} as const;

/** Ticks. */
export const FIREWORKS = {
	initial: 3, // launched at the start
	every: 48, // 800 ms between launches
	fuse: 96, // 1.6 s from launch to burst
	sparks: 25,
	sparkLife: 180, // 3 s from the burst to the removal of its sparks
} as const;

/** Records hold indices, so a theme may replace the emoji. */
export const EMOJI = [
	...["✉️", "💌", "📬", "✨", "🚀", "🎉", "💡", "⭐", "🌈", "🔮"],
	...["🦄", "🍑", "🌸", "🪄", "🎈", "💜", "🧠", "🔍", "🛡️", "🌟"],
] as const;

/** Indices of emoji that are bright on a night sky and read well at 12 px, for bursts. */
export const BURST_EMOJI = (["💌", "✨", "⭐", "🌸", "🌟"] as const).map((emoji) =>
	EMOJI.indexOf(emoji),
);

export const SCENES = ["none", "drift", "fireworks", "both"] as const;
export type Scene = (typeof SCENES)[number];

export const DRIFT_BIT = 1;
export const FIREWORKS_BIT = 2;

export const PLAYS: Readonly<Record<Scene, number>> = {
	none: 0,
	drift: DRIFT_BIT,
	fireworks: FIREWORKS_BIT,
	both: DRIFT_BIT | FIREWORKS_BIT,
};

/** Births at a scene's start, and in each later batch. */
export interface BirthPlan {
	readonly floats: { readonly initial: number; readonly batch: number };
	readonly rockets: { readonly initial: number; readonly batch: number };
}

/** The site's numbers; benches use others. */
export const BIRTH_PLAN: BirthPlan = {
	floats: { initial: DRIFT.initial, batch: 1 },
	rockets: { initial: FIREWORKS.initial, batch: 1 },
};

/** Reached after 193 days. V8 boxes integers from 2^30 on. */
export const LAST_TICK = 1_000_000_000;

/** A tick that no simulation reaches. */
export const NEVER = 2 ** 30 - 1;
