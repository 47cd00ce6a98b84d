import type { Engine, EngineSettings, Show } from "#engine";
import { scene } from "./scene.ts";
import { whenIdle } from "./when-idle.ts";
import { whenShown } from "./when-shown.ts";

/** The names that `readEngineSettings` reads. Visitors' addresses have others, such as `utm_source`. */
const ENGINEERS = /[?&](seed|tick|level|way|engine)=/;

/**
 * Brings the engine to a stage when the page is shown and has nothing better to do, and tells it what
 * the store knows. A visitor who saves data, or whose engine cannot be fetched, keeps the still picture.
 * @returns the function that ends it
 */
export function play(stage: HTMLElement): () => void {
	const picture = stage.querySelector<HTMLElement>(".picture");
	if (!picture || savesData()) return () => {};
	let ended = false;
	let engine: Engine | undefined;
	let unsubscribe = () => {};

	async function start(): Promise<void> {
		const [{ createEngine }, settings] = await Promise.all([
			import("#engine"),
			ENGINEERS.test(location.search) ? engineersSettings() : undefined,
		]);
		if (ended || !picture) return;
		engine = createEngine(picture, {
			...settings,
			onShown: (way) => {
				stage.dataset.way = way;
			},
		});
		unsubscribe = scene.subscribe((state) => engine?.set(show(state)));
		engine.set(show(scene.getState()));
	}

	let notIdle = () => {};
	const notShown = whenShown(() => {
		notIdle = whenIdle(() => {
			start().catch((error: unknown) => console.info(`engine: not loaded. ${error}`));
		});
	});
	return () => {
		ended = true;
		notShown();
		notIdle();
		unsubscribe();
		engine?.destroy();
		delete stage.dataset.way;
	};
}

function show({
	name,
	paused,
	still,
	salutes,
	quietZone,
}: ReturnType<typeof scene.getState>): Show {
	return { scene: name, paused, still, salutes, quietZone: [...quietZone] };
}

/** What the address asks for is read by code that only engineers load. */
async function engineersSettings(): Promise<EngineSettings> {
	const { readEngineSettings } = await import("./engine-settings.ts");
	return readEngineSettings(new URLSearchParams(location.search));
}

function savesData(): boolean {
	const { connection } = navigator as Navigator & { connection?: { saveData?: boolean } };
	return connection?.saveData === true || matchMedia("(prefers-reduced-data: reduce)").matches;
}
