import type { Facts, PlayerEvents, PlayerSettings } from "../messages.ts";

/** A player at work, whichever backend it is. */
export interface Playing {
	set(facts: Partial<Facts>): void;
	seek(tick: number): void;
	/** The latest tick that is known, for another backend to go on from. */
	tick(): number;
	destroy(): void;
}

/**
 * Starts to draw on a canvas that nobody has drawn on.
 * @param facts what is to be shown; read when playing starts, which may be later
 * @param signal aborts the start, and leaves nothing behind
 * @throws Error when this backend cannot draw here
 */
export type StartPlaying = (
	canvas: HTMLCanvasElement,
	settings: PlayerSettings,
	facts: Readonly<Facts>,
	tell: PlayerEvents,
	signal: AbortSignal,
) => Promise<Playing>;
