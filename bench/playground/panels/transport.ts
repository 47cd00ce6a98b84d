import { TICKS_PER_SECOND } from "../../../engine/simulation/index.ts";
import { type Playground, type PlaygroundState, seek, setPlaying } from "../state.ts";

export function connectTransport(playground: Playground, root: ParentNode): void {
	const find = <T extends HTMLElement>(id: string) => root.querySelector<T>(`#${id}`)!;
	const track = find<HTMLInputElement>("tick");
	const go = find<HTMLInputElement>("go");
	const play = find<HTMLButtonElement>("play");
	const time = find<HTMLOutputElement>("time");
	const marks = find("marks");

	const by = (ticks: number) => seek(playground, playground.getState().tick + ticks);
	const toggle = () => setPlaying(playground, !playground.getState().playing);
	play.addEventListener("click", toggle);
	find("step-back").addEventListener("click", () => by(-1));
	find("step-on").addEventListener("click", () => by(1));
	find("to-start").addEventListener("click", () => seek(playground, 0));
	track.addEventListener("input", () => seek(playground, track.valueAsNumber));
	go.addEventListener("change", () => {
		if (go.reportValidity() && go.value !== "") seek(playground, go.valueAsNumber);
	});

	// The track itself handles arrows, Home and End.
	const keys = new Map([
		[" ", toggle],
		["PageUp", () => by(TICKS_PER_SECOND)],
		["PageDown", () => by(-TICKS_PER_SECOND)],
	]);
	track.addEventListener("keydown", (event) => {
		const act = keys.get(event.key);
		if (!act) return;
		event.preventDefault();
		act();
	});

	function show({ tick, ticks, playing }: PlaygroundState): void {
		track.max = `${ticks}`;
		go.max = `${ticks}`;
		track.value = `${tick}`;
		const words = `${seconds(tick)} of ${seconds(ticks)} s`;
		track.ariaValueText = `tick ${tick}, ${words}`;
		track.style.setProperty("--done", `${(100 * tick) / ticks}%`);
		if (document.activeElement !== go || !playing) go.value = `${tick}`;
		play.textContent = playing ? "Pause" : "Play";
		time.value = words;
	}

	function mark({ inputs, ticks }: PlaygroundState): void {
		marks.replaceChildren(
			...inputs
				.filter(({ tick }) => tick <= ticks)
				.map(({ tick, scene }) => {
					const mark = document.createElement("span");
					mark.dataset.scene = scene;
					mark.style.setProperty("--at", `${(100 * tick) / ticks}%`);
					return mark;
				}),
		);
	}

	playground.subscribe((now, before) => {
		show(now);
		if (now.inputs !== before.inputs || now.ticks !== before.ticks) mark(now);
	});
	show(playground.getState());
	mark(playground.getState());
}

function seconds(ticks: number): string {
	return (ticks / TICKS_PER_SECOND).toFixed(2);
}
