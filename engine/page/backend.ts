import type { PageState, PlayerEvents, PlayerSettings } from "../messages.ts";

export interface StartedBackend {
	set(pageState: Partial<PageState>): void;
	seek(tick: number): void;
	tick(): number;
	destroy(): void;
}

/**
 * @param pageState the live object: it may change between the call and the start
 * @throws Error if this backend cannot draw here
 */
export type StartBackend = (
	canvas: HTMLCanvasElement,
	settings: PlayerSettings,
	pageState: Readonly<PageState>,
	tell: PlayerEvents,
	signal: AbortSignal,
) => Promise<StartedBackend>;
