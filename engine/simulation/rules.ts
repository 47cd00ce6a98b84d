/**
 * What the product promises about its particles, each number once (promises 41 to 43).
 *
 * Times are in ticks, of which every rule is a whole number: counted in seconds, the 3 s of a
 * burst end one tick late, because 180 additions of 1/60 do not make 3.
 */

/** Of simulated time, whatever the display's rate. */
export const TICKS_PER_SECOND = 60;

/** Floating emoji: ticks, and CSS px for sizes. */
export const DRIFT = {
	initial: 6, // there from the start
	every: 60, // 1 s from one birth to the next
	life: [720, 3000], // 12 s to 50 s before the farewell
	farewell: 60, // 1 s more of every life, to fade away in
	size: [24, 120],
} as const;

/** Rockets, and the bursts that they end in: ticks. */
export const FIREWORKS = {
	initial: 3, // launched at the start
	every: 48, // 800 ms from one launch to the next
	fuse: 96, // 1.6 s from launch to burst
	sparks: 25, // particles of a burst
	sparkLife: 180, // 3 s from the burst to their removal
} as const;

/** The 20 emoji, unless others are drawn in their places. A record names one by its place in this list. */
export const EMOJI = [
	...["✉️", "💌", "📬", "✨", "🚀", "🎉", "💡", "⭐", "🌈", "🔮"],
	...["🦄", "🍑", "🌸", "🪄", "🎈", "💜", "🧠", "🔍", "🛡️", "🌟"],
] as const;

/** The places of those that shine on a night sky: bursts are made of them. */
export const SHINING = (
	["💌", "✨", "🎉", "💡", "⭐", "🌈", "🔮", "🦄", "🍑", "🌸", "🎈", "💜", "🌟"] as const
).map((emoji) => EMOJI.indexOf(emoji));

/** What can play. Recordings hold places in this list: append to it. */
export const SCENES = ["none", "drift", "fireworks", "both"] as const;
export type Scene = (typeof SCENES)[number];

/** A bit for each thing that plays. */
export const DRIFT_BIT = 1;
export const FIREWORKS_BIT = 2;

/** What plays in a scene. */
export const PLAYS: Readonly<Record<Scene, number>> = {
	none: 0,
	drift: DRIFT_BIT,
	fireworks: FIREWORKS_BIT,
	both: DRIFT_BIT | FIREWORKS_BIT,
};

/** How many are born at the start of a scene, and at each birth after that. */
export interface Crowd {
	readonly floats: { readonly initial: number; readonly batch: number };
	readonly rockets: { readonly initial: number; readonly batch: number };
}

/** The product's crowd. Only benches ask for another. */
export const CROWD: Crowd = {
	floats: { initial: DRIFT.initial, batch: 1 },
	rockets: { initial: FIREWORKS.initial, batch: 1 },
};

/**
 * The last tick there is, after 193 days. All ticks stay below 2^30, which Chromium keeps in a
 * register; a greater one would be an object on its heap.
 */
export const LAST_TICK = 1_000_000_000;

/** A tick that no simulation reaches. */
export const NEVER = 2 ** 30 - 1;
