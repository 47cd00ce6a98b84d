import type { Facts, PlayerEvents, PlayerSettings } from "../messages.ts";

export interface Playing {
	set(facts: Partial<Facts>): void;
	seek(tick: number): void;
	tick(): number;
	destroy(): void;
}

/**
 * @param facts read when playing starts, which may be later
 * @param signal aborts the start and cleans up
 * @throws Error if this backend cannot draw here
 */
export type StartPlaying = (
	canvas: HTMLCanvasElement,
	settings: PlayerSettings,
	facts: Readonly<Facts>,
	tell: PlayerEvents,
	signal: AbortSignal,
) => Promise<Playing>;
