import type { Backend, Input } from "#engine";
import { BACKENDS } from "../../engine/messages.ts";
import { QUALITY_LEVELS } from "../../engine/player/quality/ladder.ts";
import { SCENARIOS } from "../harness/scenarios.ts";

export interface PlaygroundRun {
	inputs: readonly Input[];
	seed: number;
	backend: Backend | undefined;
	level: number | undefined;
}

const SCRIPTS = new Map(SCENARIOS.map(({ name, inputs }) => [name.replace(/ \d+$/, ""), inputs]));

const CHOICES: Readonly<Record<string, readonly (readonly [value: string, text: string])[]>> = {
	scenario: [...SCRIPTS.keys()].map((name) => [name, name]),
	way: BACKENDS.filter((backend) => backend !== "none").map((backend) => [backend, backend]),
	level: QUALITY_LEVELS.map(({ pixelRatio, every }, level) => {
		const rate = every === 0 ? "still" : `${Math.round(1000 / every)} fps`;
		return [`${level}`, `${level}: ${pixelRatio.toFixed(2)} px, ${rate}`];
	}),
};

type Field = HTMLInputElement | HTMLSelectElement;

const fieldOf = (form: HTMLFormElement, name: string) =>
	form.elements.namedItem(name) as Field | null;

export function addSelectOptions(form: HTMLFormElement): void {
	for (const [name, choices] of Object.entries(CHOICES)) {
		fieldOf(form, name)?.append(...choices.map(([value, text]) => new Option(text, value)));
	}
}

export function readRunFromForm(form: HTMLFormElement): PlaygroundRun {
	const read = (name: string) => fieldOf(form, name)?.value ?? "";
	return {
		inputs: SCRIPTS.get(read("scenario")) ?? [],
		seed: Number(read("seed")),
		backend: BACKENDS.find((backend) => backend === read("way")),
		level: read("level") === "" ? undefined : Number(read("level")),
	};
}

/** Ignores invalid parameters. @returns an error message for each of them */
export function fillFormFromLink(form: HTMLFormElement, query: string): string[] {
	return [...new URLSearchParams(query)].flatMap(([name, value]) => {
		const field = fieldOf(form, name);
		if (!field) return [];
		const before = field.value;
		field.value = value;
		if (field.value === value && field.checkValidity()) return [];
		field.value = before;
		return [`${name}=${value} is invalid and was ignored.`];
	});
}

export function linkToRun(form: HTMLFormElement, fingerprint: string): string {
	const query = new URLSearchParams();
	for (const [name, value] of new FormData(form)) {
		if (typeof value === "string" && value !== "") query.set(name, value);
	}
	query.set("fingerprint", fingerprint);
	return `?${query}`;
}
