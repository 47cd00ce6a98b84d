import type { PageState, PlayerEvents, PlayerSettings } from "../messages.ts";

export interface StartedBackend {
	set(pageState: Partial<PageState>): void;
	seek(tick: number): void;
	tick(): number;
	destroy(): void;
}

/**
 * @param pageState is read when playing starts, which may be long after the call
 * @throws Error if this backend cannot draw here
 */
export type StartBackend = (
	canvas: HTMLCanvasElement,
	settings: PlayerSettings,
	pageState: Readonly<PageState>,
	tell: PlayerEvents,
	signal: AbortSignal,
) => Promise<StartedBackend>;
