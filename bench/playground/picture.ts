import { createEngine, type Engine, type Stats } from "#engine";
import { pretendDevice } from "./device.ts";
import type { Playground, PlaygroundState, Setup } from "./state.ts";

/** What the engine is told when it is created, and at no other time. */
const FIXED = [
	...(["inputs", "seed", "way", "level"] as const),
	...(["pixelRatio", "memory", "cores", "saveData"] as const),
] satisfies (keyof Setup)[];

/** The engine in its stage: follows the playground, and brings its reports back. */
export function showPicture(playground: Playground, stage: HTMLElement): void {
	const found = stage.querySelector<HTMLElement>(".picture");
	if (!found) throw new Error("The stage has no place for a picture.");
	const place = found;
	let engine: Engine | undefined;
	// Whichever way it draws, the engine has a canvas here, and none when no way is left to it.
	const canvases = new MutationObserver(() => {
		if (place.childElementCount === 0)
			showNothing("The engine cannot draw this way here; the console says why.");
	});

	function showNothing(why: string): void {
		playground.setState({ playing: false, stats: undefined, nothing: { why } });
	}

	function start(): void {
		canvases.disconnect();
		engine?.destroy();
		engine = undefined;
		delete stage.dataset.way;
		const setup = playground.getState();
		const { inputs, seed, way, level, tick, playing, saveData } = setup;
		playground.setState({ stats: undefined, gl: undefined, nothing: undefined });
		pretendDevice(setup);
		if (saveData || way === "none") {
			showNothing(
				saveData ? "Who saves data gets no engine, as on the site." : "This way draws nothing.",
			);
			return;
		}
		canvases.observe(place, { childList: true });
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
		const { playing, tick, ticks } = playground.getState();
		// What was on its way while one sought elsewhere is not news.
		if (!playing && stats.tick !== tick) return;
		if (!playing || stats.tick < ticks) playground.setState({ stats, tick: stats.tick });
		else playground.setState({ stats, playing: false, tick: ticks, sought: { tick: ticks } });
	}

	playground.subscribe((now: PlaygroundState, before: PlaygroundState) => {
		if (FIXED.some((name) => now[name] !== before[name])) start();
		// Stopped first: what has been sought must not move on.
		if (now.playing !== before.playing) engine?.set({ paused: !now.playing });
		if (now.sought !== before.sought) engine?.seek(now.sought.tick);
	});
	start();
}
