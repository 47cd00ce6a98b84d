import { createEngine, type Engine, type Stats } from "#engine";
import { THEME } from "../../harness/theme.ts";
import { pretendDevice } from "../device.ts";
import type { Playground, PlaygroundState, Setup } from "../state.ts";

/** Settings that the engine only reads when it is created. */
const FIXED = [
	...(["inputs", "seed", "backend", "level"] as const),
	...(["pixelRatio", "memory", "cores", "saveData"] as const),
] satisfies (keyof Setup)[];

export function showPicture(playground: Playground, stage: HTMLElement): void {
	const found = stage.querySelector<HTMLElement>(".picture");
	if (!found) throw new Error("The stage has no place for a picture.");
	const place = found;
	let engine: Engine | undefined;
	// Every drawing backend has a canvas here. Without one, no backend was left.
	const canvases = new MutationObserver(() => {
		if (place.childElementCount === 0) {
			showNothing("This backend cannot draw here; the console says why.");
		}
	});

	function showNothing(why: string): void {
		playground.setState({ playing: false, stats: undefined, nothing: { why } });
	}

	function start(): void {
		canvases.disconnect();
		engine?.destroy();
		engine = undefined;
		delete stage.dataset.backend;
		const setup = playground.getState();
		const { inputs, seed, backend, level, tick, playing, saveData } = setup;
		playground.setState({ stats: undefined, gl: undefined, nothing: undefined });
		pretendDevice(setup);
		if (saveData || backend === "none") {
			showNothing(
				saveData ? "Who saves data gets no engine, as on the site." : "This backend draws nothing.",
			);
			return;
		}
		canvases.observe(place, { childList: true });
		engine = createEngine(place, {
			inputs,
			seed,
			backend,
			level,
			theme: THEME,
			onStats: hear,
			onShown: (backend) => {
				stage.dataset.backend = backend;
			},
		});
		engine.seek(tick);
		engine.set({ scene: "both", paused: !playing });
	}

	function hear(stats: Stats): void {
		const { playing, tick, ticks } = playground.getState();
		// Stats from before a seek are out of date.
		if (!playing && stats.tick !== tick) return;
		if (!playing || stats.tick < ticks) playground.setState({ stats, tick: stats.tick });
		else playground.setState({ stats, playing: false, tick: ticks, sought: { tick: ticks } });
	}

	playground.subscribe((now: PlaygroundState, before: PlaygroundState) => {
		if (FIXED.some((name) => now[name] !== before[name])) start();
		// Pause first, so that the target tick does not move on.
		if (now.playing !== before.playing) engine?.set({ paused: !now.playing });
		if (now.sought !== before.sought) engine?.seek(now.sought.tick);
	});
	start();
}
