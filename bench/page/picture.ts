import { createEngine, type Engine, type Stats } from "#engine";
import { pretendDevice } from "./device.ts";
import type { Bench, BenchState, Setup } from "./state.ts";

/** What the engine is told when it is created, and at no other time. */
const FIXED = [
	...(["inputs", "seed", "way", "level"] as const),
	...(["pixelRatio", "memory", "cores", "saveData"] as const),
] satisfies (keyof Setup)[];

/** The engine in its stage: follows the bench, and brings its reports back. */
export function showPicture(bench: Bench, stage: HTMLElement): void {
	const place = stage.querySelector<HTMLElement>(".picture");
	if (!place) throw new Error("The stage has no place for a picture.");
	let engine: Engine | undefined;

	function start(): void {
		engine?.destroy();
		engine = undefined;
		delete stage.dataset.way;
		const setup = bench.getState();
		const { inputs, seed, way, level, tick, playing, saveData } = setup;
		bench.setState({ stats: undefined, gl: undefined });
		pretendDevice(setup);
		// As on the site: who saves data gets no engine.
		if (saveData || !place) return;
		engine = createEngine(place, {
			...{ inputs, seed, way, level },
			onStats: hear,
			onShown: (way) => {
				stage.dataset.way = way;
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
