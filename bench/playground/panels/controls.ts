import { BACKENDS } from "../../../engine/messages.ts";
import { LADDER } from "../../../engine/player/quality/ladder.ts";
import { SEEDS } from "../../harness/scenarios.ts";
import { SCRIPTS, scriptOf } from "../scripts.ts";
import type { Playground, Setup } from "../state.ts";

const OWN = "from a file or link";
const RATIOS = [0.5, 1, 1.5, 2, 3];
const MEMORIES = [0.5, 1, 2, 4, 8];
const CORES = [1, 2, 4, 8, 16];

type Choice = readonly [value: string, text: string];
const numbers = (values: readonly number[]): Choice[] => values.map((n) => [`${n}`, `${n}`]);

const CHOICES: Record<string, readonly Choice[]> = {
	scenario: [...SCRIPTS.keys()].map((name) => [name, name]),
	backend: [["", "automatic"], ...BACKENDS.map((backend): Choice => [backend, backend])],
	level: [
		["", "automatic"],
		...LADDER.map(({ pixelRatio, every }, level): Choice => {
			const rate = every === 0 ? "still" : `${Math.round(1000 / every)}/s`;
			return [`${level}`, `${level}: ${pixelRatio} px, ${rate}`];
		}),
	],
	pixelRatio: [["", "its own"], ...numbers(RATIOS)],
	memory: [["", "its own"], ...numbers(MEMORIES)],
	cores: [["", "its own"], ...numbers(CORES)],
};

export function connectControls(playground: Playground, form: HTMLFormElement): void {
	const field = (name: string) => form.elements.namedItem(name) as HTMLInputElement;
	for (const [name, choices] of Object.entries(CHOICES)) {
		field(name).append(...choices.map(([value, text]) => new Option(text, value)));
	}
	form.querySelector("datalist")?.append(...SEEDS.map((seed) => new Option(`${seed}`, `${seed}`)));

	const number = (name: string) => (field(name).value === "" ? undefined : +field(name).value);

	function take(name: string): void {
		switch (name) {
			case "scenario": {
				const inputs = SCRIPTS.get(field(name).value);
				if (inputs) playground.setState({ inputs });
				break;
			}
			case "backend":
				playground.setState({ backend: BACKENDS.find((backend) => backend === field(name).value) });
				break;
			case "saveData":
				playground.setState({ saveData: field(name).checked });
				break;
			case "ticks": {
				const ticks = number(name) ?? 1;
				const tick = Math.min(playground.getState().tick, ticks);
				playground.setState({ ticks, tick, sought: { tick } });
				break;
			}
			case "seed":
			case "jank":
				playground.setState({ [name]: number(name) ?? 0 });
				break;
			case "level":
			case "pixelRatio":
			case "memory":
			case "cores":
				playground.setState({ [name]: number(name) });
		}
	}

	form.addEventListener("change", ({ target }) => {
		const { name } = target as HTMLInputElement;
		// The browser reports invalid fields. Until then nothing changes.
		if ((target as HTMLInputElement).reportValidity()) take(name);
	});
	form.addEventListener("submit", (event) => event.preventDefault());

	function choose(name: string, value: string | number | undefined): void {
		const select = field(name);
		const wanted = `${value ?? ""}`;
		// A link may use a value that is not in the list.
		if (
			select instanceof HTMLSelectElement &&
			![...select.options].some((o) => o.value === wanted)
		) {
			select.append(new Option(wanted, wanted));
		}
		if (select.value !== wanted && select !== document.activeElement) select.value = wanted;
		else if (select instanceof HTMLSelectElement) select.value = wanted;
	}

	function show(setup: Setup): void {
		choose("scenario", scriptOf(setup.inputs) ?? OWN);
		for (const name of ["seed", "ticks", "backend", "level", "jank"] as const) {
			choose(name, setup[name]);
		}
		for (const name of ["pixelRatio", "memory", "cores"] as const) choose(name, setup[name]);
		field("saveData").checked = setup.saveData;
	}
	playground.subscribe(show);
	show(playground.getState());
}
