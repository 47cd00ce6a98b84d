import { expect } from "vitest";
import { THEME } from "../../../engine/default-theme.ts";
import {
	type FrameStats,
	INITIAL_PAGE_STATE,
	type PageState,
	type PlayerSettings,
} from "../../../engine/messages.ts";
import { createPlayer } from "../../../engine/player/player.ts";
import type { Surface } from "../../../engine/player/surface.ts";
import type { Picture } from "../../../engine/render/renderer.ts";

const pageState: PageState = {
	...INITIAL_PAGE_STATE,
	scene: "drift",
	width: 400,
	height: 300,
	pixelRatio: 2,
	seen: true,
};

export interface DrawnFrame extends Picture {
	size: string;
	quietZone: ArrayLike<number>;
}

/** Starts a player that records pictures instead of drawing them. The test supplies its frames. */
export function startPlayer(
	given: Partial<PageState> = {},
	settings: Partial<PlayerSettings> = {},
) {
	const drawn: DrawnFrame[] = [];
	const said: string[] = [];
	const stats: FrameStats[] = [];
	let lost: (timeMs: number) => void = () => {};
	let returned: () => void = () => {};
	let busy = false;
	let renderers = 0;
	let broken = false;
	let gone = false;
	let forgotten = 0;
	const surface: Surface = {
		software: false,
		pacer: {
			pollFree: () => !busy,
			mark() {},
			forget() {
				forgotten++;
			},
		},
		createRenderer() {
			if (gone) throw new Error("gone");
			renderers++;
			let size = "";
			let quietZone: ArrayLike<number> = [];
			return {
				drawCalls: 2,
				resize(width, height, pixelRatio) {
					size = `${width} x ${height} x ${pixelRatio}`;
				},
				setQuietZone(rectangles) {
					quietZone = rectangles;
				},
				draw(picture) {
					if (broken) throw new Error("spoilt");
					drawn.push({ ...picture, size, quietZone });
				},
				destroy() {
					renderers--;
				},
			};
		},
		isLost: () => gone,
		watch(onLost, onReturned) {
			[lost, returned] = [onLost, onReturned];
			return () => said.push("unwatched");
		},
		destroy: () => said.push("gave the context back"),
	};
	const pageStateNow = { ...pageState, ...given };
	let callback: ((timeMs: number) => void) | undefined;
	let now = 1000;
	const player = createPlayer(
		surface,
		{ backend: "worker", theme: THEME, seed: 1, stats: true, device: {}, ...settings },
		pageStateNow,
		{
			shown: (shown) => said.push(shown ? "shown" : "gone"),
			stats: (report) => stats.push(report),
			failed: (reason, final) => said.push(`${final ? "given up" : "failed"}: ${reason}`),
		},
		{
			request(next) {
				expect(callback).toBeUndefined();
				callback = next;
				return 7;
			},
			cancel(id) {
				expect(id).toBe(7);
				callback = undefined;
			},
		},
	);
	return {
		player,
		pageState: pageStateNow,
		drawn,
		said,
		stats,
		/** Advances time by `frames` frames. Returns how many of them the player had requested. */
		turn(frames: number, everyMs = 1000 / 60): number {
			let asked = 0;
			for (let frame = 0; frame < frames; frame++) {
				now += everyMs;
				const current = callback;
				callback = undefined;
				if (current) asked++;
				current?.(now);
			}
			return asked;
		},
		setBusy(value: boolean) {
			busy = value;
		},
		break() {
			broken = true;
		},
		lose: () => lost(now),
		/** With `again`, the context is lost a second time before the event arrives. */
		restore(again = false) {
			gone = again;
			returned();
		},
		renderers: () => renderers,
		forgotten: () => forgotten,
	};
}
