/** The particle rules, in whole ticks: 180 floating-point additions of 1/60 do not make 3 seconds. */

/** Independent of the display's frame rate. */
export const TICKS_PER_SECOND = 60;

/** Ticks; sizes in CSS px. */
export const DRIFT = {
	initial: 6, // born at the scene's start
	every: 60, // 1 s between births
	life: [720, 3000], // 12 s to 50 s, plus `farewell`
	farewell: 60, // 1 s to fade away
	size: [24, 120],
} as const;

/** Ticks. */
export const FIREWORKS = {
	initial: 3, // launched at the scene's start
	every: 48, // 800 ms between launches
	fuse: 96, // 1.6 s from launch to burst
	sparks: 25,
	sparkLife: 180, // 3 s from the burst to the death of its sparks
} as const;

/** Records hold indices, so a theme may replace the emoji. */
export const EMOJI = [
	...["✉️", "💌", "📬", "✨", "🚀", "🎉", "💡", "⭐", "🌈", "🔮"],
	...["🦄", "🍑", "🌸", "🪄", "🎈", "💜", "🧠", "🔍", "🛡️", "🌟"],
] as const;

/** Indices of the emoji in bursts: bright on a night sky, and recognizable at 12 px. */
export const BURST_EMOJI = (["💌", "✨", "⭐", "🌸", "🌟"] as const).map((emoji) =>
	EMOJI.indexOf(emoji),
);

export const SCENES = ["none", "drift", "fireworks", "both"] as const;
export type Scene = (typeof SCENES)[number];

export const DRIFT_BIT = 1;
export const FIREWORKS_BIT = 2;

export const SCENE_BITS: Readonly<Record<Scene, number>> = {
	none: 0,
	drift: DRIFT_BIT,
	fireworks: FIREWORKS_BIT,
	both: DRIFT_BIT | FIREWORKS_BIT,
};

/** Numbers of births at a scene's start, and in each later batch. */
export interface BirthPlan {
	readonly floats: { readonly initial: number; readonly batch: number };
	readonly rockets: { readonly initial: number; readonly batch: number };
}

export const BIRTH_PLAN: BirthPlan = {
	floats: { initial: DRIFT.initial, batch: 1 },
	rockets: { initial: FIREWORKS.initial, batch: 1 },
};

/** 193 days. V8 would box integers from 2^30 on. */
export const LAST_TICK = 1_000_000_000;

/** A tick that no simulation reaches. */
export const NEVER = 2 ** 30 - 1;
