import type { Facts, PlayerSettings } from "../messages.ts";
import type { PlayerEvents } from "../player/player.ts";

/** The picture as it plays, by whatever way it is drawn. */
export interface Playing {
	set(facts: Partial<Facts>): void;
	seek(tick: number): void;
	/** The latest tick that is known of, for another way to go on from. */
	tick(): number;
	destroy(): void;
}

/**
 * Starts to draw on a canvas that nobody has drawn on.
 * @param facts what is to be shown; read when it starts, which may be later
 * @param signal when it aborts, nothing is started any more, and nothing is left behind
 * @throws Error when this way cannot be gone here
 */
export type StartPlaying = (
	canvas: HTMLCanvasElement,
	settings: PlayerSettings,
	facts: Readonly<Facts>,
	tell: PlayerEvents,
	signal: AbortSignal,
) => Promise<Playing>;
