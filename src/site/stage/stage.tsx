import { useEffect, useRef } from "react";
import type { Engine, EngineSettings } from "#engine";
import type { Sky } from "../routes.ts";
import { scene } from "./scene.ts";
import { theme } from "./theme.ts";
import { whenShownAndIdle } from "./when-shown-and-idle.ts";

/** Development parameters. Visitors' URLs lack them, and do not load the code that reads them. */
const ENGINE_PARAMETERS = /[?&](seed|tick|level|way|engine)=/;

/**
 * The background behind the words. The style sheet paints the sky and a still sphere; the engine's
 * canvas fades in over them.
 */
export function Stage({ sky }: { sky: Sky }) {
	const stage = useRef<HTMLDivElement>(null);
	useEffect(() => (stage.current ? play(stage.current) : undefined), []);
	return (
		<div className="stage" data-sky={sky} aria-hidden="true" ref={stage}>
			<div className="morning" />
			<div className="night" />
			<div className="sphere" />
			<div className="picture" />
		</div>
	);
}

/**
 * Starts the engine when the page is shown and idle. With data saver on, or without the engine's
 * code, the still picture stays.
 * @returns a function that stops the engine
 */
function play(stage: HTMLElement): () => void {
	const picture = stage.querySelector<HTMLElement>(".picture");
	if (!picture || savesData()) return () => {};
	let ended = false;
	let engine: Engine | undefined;
	let unsubscribe = () => {};

	async function start(picture: HTMLElement): Promise<void> {
		const [{ createEngine }, settings] = await Promise.all([
			import("#engine"),
			ENGINE_PARAMETERS.test(location.search) ? engineersSettings() : undefined,
		]);
		if (ended) return;
		engine = createEngine(picture, {
			...settings,
			theme,
			onShown: (backend) => {
				stage.dataset.backend = backend;
			},
		});
		unsubscribe = scene.subscribe(engine.set);
		engine.set(scene.getState());
	}

	const cancel = whenShownAndIdle(() => {
		start(picture).catch((error: unknown) => console.info(`engine: not loaded. ${error}`));
	});
	return () => {
		ended = true;
		cancel();
		unsubscribe();
		engine?.destroy();
		delete stage.dataset.backend;
	};
}

async function engineersSettings(): Promise<Partial<EngineSettings>> {
	const { readEngineSettings } = await import("./engine-settings.ts");
	return readEngineSettings(new URLSearchParams(location.search));
}

function savesData(): boolean {
	const { connection } = navigator as Navigator & { connection?: { saveData?: boolean } };
	return connection?.saveData === true || matchMedia("(prefers-reduced-data: reduce)").matches;
}
