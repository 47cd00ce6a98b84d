import {
	BACKENDS,
	type Backend,
	type FrameStats,
	INITIAL_PAGE_STATE,
	isMotionAllowed,
	isVisible,
	type PageState,
	type PlayerEvents,
	type PlayerSettings,
	type ShowState,
} from "../messages.ts";
import type { Theme } from "../render/theme.ts";
import type { Input } from "../simulation/index.ts";
import type { StartedBackend } from "./backend.ts";
import { pageBackend } from "./page-backend.ts";
import { watchPointer } from "./pointer.ts";
import { watchPowerSaving } from "./power.ts";
import { watchCanvas } from "./surroundings.ts";
import { workerBackend } from "./worker-backend.ts";

/** Sites set `theme`, `worker` and `onShown`; tests and tools set the rest. */
export interface EngineSettings {
	/** From 0 to 2^32 - 1; random by default. */
	seed?: number | undefined;
	tick?: number | undefined;
	level?: number | undefined;
	inputs?: readonly Input[] | undefined;
	theme: Theme;
	backend?: Backend | undefined;
	/** Creates the worker if the bundler does not ship worker.js next to the engine. */
	worker?: (() => Worker) | undefined;
	/** Gets the backend after its first frame, and "none" when its canvas content is lost. */
	onShown?: ((backend: Backend) => void) | undefined;
	/** Called at most four times a second. */
	onStats?: ((stats: FrameStats) => void) | undefined;
}

export interface Engine {
	set(show: Partial<ShowState>): void;
	/** Jumps to any tick, an integer from 0. */
	seek(tick: number): void;
	destroy(): void;
}

/**
 * Loads a backend once a scene is visible. Each backend gets a new canvas, because a canvas cannot
 * be transferred back from a worker.
 */
export function createEngine(container: HTMLElement, settings: EngineSettings): Engine {
	const anySeed = crypto.getRandomValues(new Uint32Array(1))[0];
	const { seed = anySeed, tick, level, inputs, theme, onShown, onStats } = settings;
	const pageState = { ...INITIAL_PAGE_STATE };
	const backends = settings.backend ? [settings.backend] : [...BACKENDS];
	const ended = new AbortController();
	let from = tick ?? 0;
	let started = false;
	let playing: StartedBackend | undefined;
	let canvas: HTMLCanvasElement | undefined;
	let shown: Backend = "none";

	function show(backend: Backend): void {
		if (backend === shown) return;
		shown = backend;
		onShown?.(backend);
	}

	function set(given: Partial<PageState>): void {
		const changed = changedFields(given, pageState);
		Object.assign(pageState, changed);
		if (Object.keys(changed).length > 0) playing?.set(changed);
		if (started || !pageState.seen || pageState.scene === "none" || pageState.width === 0) return;
		started = true;
		void startNext();
	}

	async function startNext(): Promise<void> {
		const backend = backends.shift() ?? "none";
		if (backend === "none" || ended.signal.aborted) return;
		canvas = document.createElement("canvas");
		container.append(canvas);
		const giveUp = (reason: string, final = false) => {
			playing?.destroy();
			playing = undefined;
			canvas?.remove();
			if (ended.signal.aborted) return;
			if (final) backends.length = 0;
			const next = backends[0] ?? "none";
			console.info(`engine: "${backend}" cannot draw, "${next}" is next. ${reason}`);
			void startNext();
		};
		const events: PlayerEvents = {
			shown: (there) => show(there ? backend : "none"),
			stats: (stats) => onStats?.(stats),
			failed(reason, final) {
				if (tick === undefined) from = playing?.tick() ?? 0;
				show("none");
				giveUp(reason, final);
			},
		};
		const start = backend === "worker" ? workerBackend(settings.worker) : pageBackend;
		try {
			const settings = playerSettings(backend);
			const begun = await start(canvas, settings, pageState, events, ended.signal);
			if (ended.signal.aborted) begun.destroy();
			else playing = begun;
			// `seek` may have been called while the backend was starting.
			if (from !== settings.from) playing?.seek(from);
		} catch (error) {
			giveUp(error instanceof Error ? error.message : String(error));
		}
	}

	function playerSettings(backend: Backend): PlayerSettings {
		const { deviceMemory, hardwareConcurrency } = navigator as Navigator & {
			deviceMemory?: number;
		};
		return {
			backend,
			seed,
			from,
			frozen: tick !== undefined,
			level,
			inputs,
			theme,
			wide: matchMedia("(color-gamut: p3)").matches,
			stats: onStats !== undefined,
			device: { memory: deviceMemory, cores: hardwareConcurrency },
		};
	}

	const unwatch = watchCanvas(container, set);
	const unwatchPower = watchPowerSaving(set);
	const unwatchPointer = watchPointer(
		() => playing !== undefined && isVisible(pageState) && isMotionAllowed(pageState),
		set,
	);

	return {
		set,
		seek(tick) {
			from = tick;
			playing?.seek(tick);
		},
		destroy() {
			unwatch();
			unwatchPower();
			unwatchPointer();
			ended.abort();
			playing?.destroy();
			playing = undefined;
			canvas?.remove();
		},
	};
}

/** Drops unchanged fields, because any field causes a redraw of a still picture. */
function changedFields(given: Partial<PageState>, known: PageState): Partial<PageState> {
	const entries = Object.entries(given) as [keyof PageState, PageState[keyof PageState]][];
	return Object.fromEntries(entries.filter(([name, fact]) => String(fact) !== String(known[name])));
}
