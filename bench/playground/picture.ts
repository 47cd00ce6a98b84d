import { createEngine, type Engine, type Stats } from "#engine";
import { pretendDevice } from "./device.ts";
import type { Bench, BenchState, Setup } from "./state.ts";

/** What the engine is told when it is created, and at no other time. */
const FIXED = [
	...(["inputs", "seed", "backend", "level"] as const),
	...(["pixelRatio", "memory", "cores", "saveData"] as const),
] satisfies (keyof Setup)[];

/** The engine in its stage: follows the bench, and brings its reports back. */
export function showPicture(bench: Bench, stage: HTMLElement): void {
	const found = stage.querySelector<HTMLElement>(".picture");
	if (!found) throw new Error("The stage has no place for a picture.");
	const place = found;
	let engine: Engine | undefined;
	// Whatever backend draws, the engine has a canvas here, and none when no backend is left.
	const canvases = new MutationObserver(() => {
		if (place.childElementCount === 0)
			showNothing("This backend cannot draw here; the console says why.");
	});

	function showNothing(why: string): void {
		bench.setState({ playing: false, stats: undefined, nothing: { why } });
	}

	function start(): void {
		canvases.disconnect();
		engine?.destroy();
		engine = undefined;
		delete stage.dataset.backend;
		const setup = bench.getState();
		const { inputs, seed, backend, level, tick, playing, saveData } = setup;
		bench.setState({ stats: undefined, gl: undefined, nothing: undefined });
		pretendDevice(setup);
		if (saveData || backend === "none") {
			showNothing(
				saveData ? "Who saves data gets no engine, as on the site." : "This backend draws nothing.",
			);
			return;
		}
		canvases.observe(place, { childList: true });
		engine = createEngine(place, {
			...{ inputs, seed, backend, level },
			onStats: hear,
			onShown: (backend) => {
				stage.dataset.backend = backend;
			},
		});
		engine.seek(tick);
		engine.set({ scene: "both", paused: !playing });
	}

	function hear(stats: Stats): void {
		const { playing, tick, ticks } = bench.getState();
		// What was on its way while one sought elsewhere is not news.
		if (!playing && stats.tick !== tick) return;
		if (!playing || stats.tick < ticks) bench.setState({ stats, tick: stats.tick });
		else bench.setState({ stats, playing: false, tick: ticks, sought: { tick: ticks } });
	}

	bench.subscribe((now: BenchState, before: BenchState) => {
		if (FIXED.some((name) => now[name] !== before[name])) start();
		// Stopped first: what has been sought must not move on.
		if (now.playing !== before.playing) engine?.set({ paused: !now.playing });
		if (now.sought !== before.sought) engine?.seek(now.sought.tick);
	});
	start();
}
