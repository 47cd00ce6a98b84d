import {
	BACKENDS,
	type Backend,
	type Facts,
	isVisible,
	mayMove,
	type PlayerEvents,
	type PlayerSettings,
	type Show,
	type Stats,
	UNTOLD,
} from "../messages.ts";
import type { Looks } from "../render/looks.ts";
import type { Input } from "../simulation/index.ts";
import type { Playing } from "./backend.ts";
import { watchEnergy } from "./energy.ts";
import { watchHand } from "./hand.ts";
import { pageBackend } from "./page-backend.ts";
import { watchSurroundings } from "./surroundings.ts";
import { workerBackend } from "./worker-backend.ts";

/** What an engine is created with. All but `looks` and `onShown` is for engineers. */
export interface EngineSettings {
	/** From 0 to 2^32 - 1; any by default. */
	seed?: number | undefined;
	/** Show this tick, and nothing else. */
	tick?: number | undefined;
	/** Stay on this level of quality. */
	level?: number | undefined;
	/** Play these scenes, each from its tick on; the scene that is set is then ignored. */
	inputs?: readonly Input[] | undefined;
	/** Emoji and colours. */
	looks: Looks;
	/** Draw with this backend, or not at all. */
	backend?: Backend | undefined;
	/**
	 * Called when a backend has finished its first frame, which may be faded in; and with "none" when
	 * what it drew is gone, and what stands behind it should be seen. "flat" draws no sphere.
	 */
	onShown?: ((backend: Backend) => void) | undefined;
	/** Called at most four times a second. */
	onStats?: ((stats: Stats) => void) | undefined;
}

export interface Engine {
	/** What is to be shown from now on; what is left out stays as it is. */
	set(show: Partial<Show>): void;
	/** Goes to a tick, an integer from 0 on, back or forth; for engineers. */
	seek(tick: number): void;
	destroy(): void;
}

/**
 * Draws into an element, which it fills with a canvas.
 *
 * The canvas is the engine's own: one that was handed to a worker can neither be taken back nor be
 * handed over twice. So each backend needs a fresh one, and so does React's second mount in
 * StrictMode.
 *
 * Nothing starts before there is a scene to show and the element can be seen.
 */
export function createEngine(container: HTMLElement, settings: EngineSettings): Engine {
	const { seed = anySeed(), tick, level, inputs, looks, onShown, onStats } = settings;
	const facts = { ...UNTOLD };
	const backends = settings.backend ? [settings.backend] : [...BACKENDS];
	const ended = new AbortController();
	let from = tick ?? 0;
	let started = false;
	let playing: Playing | undefined;
	let canvas: HTMLCanvasElement | undefined;
	let shown: Backend = "none";

	function show(backend: Backend): void {
		if (backend === shown) return;
		shown = backend;
		onShown?.(backend);
	}

	function set(told: Partial<Facts>): void {
		const changed = newIn(told, facts);
		Object.assign(facts, changed);
		if (Object.keys(changed).length > 0) playing?.set(changed);
		if (started || !facts.seen || facts.scene === "none" || facts.width === 0) return;
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
		const start = backend === "worker" ? workerBackend : pageBackend;
		try {
			const told = playerSettings(backend);
			const begun = await start(canvas, told, facts, events, ended.signal);
			if (ended.signal.aborted) begun.destroy();
			else playing = begun;
			// A seek came while the backend started.
			if (from !== told.from) playing?.seek(from);
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
			looks,
			wide: matchMedia("(color-gamut: p3)").matches,
			stats: onStats !== undefined,
			device: { memory: deviceMemory, cores: hardwareConcurrency },
		};
	}

	const unwatch = watchSurroundings(container, set);
	const unwatchEnergy = watchEnergy(set);
	// What stands still does not follow the hand, and the worker need not hear of it.
	const unwatchHand = watchHand(
		() => playing !== undefined && isVisible(facts) && mayMove(facts),
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
			unwatchEnergy();
			unwatchHand();
			ended.abort();
			playing?.destroy();
			playing = undefined;
			canvas?.remove();
		},
	};
}

/** The facts that differ from the known ones. Without this, a still picture would be drawn again for nothing. */
function newIn(told: Partial<Facts>, known: Facts): Partial<Facts> {
	const entries = Object.entries(told) as [keyof Facts, Facts[keyof Facts]][];
	return Object.fromEntries(entries.filter(([name, fact]) => String(fact) !== String(known[name])));
}

function anySeed(): number {
	return crypto.getRandomValues(new Uint32Array(1))[0] ?? 0;
}
