import type { Input } from "#engine";
import { BACKENDS } from "../../engine/messages.ts";
import { LADDER } from "../../engine/player/quality/ladder.ts";
import { LAST_TICK, SCENES } from "../../engine/simulation/index.ts";
import { LONGEST_REPLAY } from "../replay/replay-file.ts";
import { SCRIPTS, scriptOf, writeInputs } from "./scripts.ts";
import type { Setup } from "./state.ts";

const DEFAULTS: Setup = {
	inputs: SCRIPTS.get("visit") ?? [],
	seed: 42,
	ticks: 6_000,
	tick: 0,
	playing: false,
	backend: undefined,
	level: undefined,
	pixelRatio: undefined,
	memory: undefined,
	cores: undefined,
	saveData: false,
	jank: 0,
};

export interface Address {
	setup: Setup;
	/** Recorded with the link. */
	print: string | undefined;
	/** A sentence for each invalid part, which is ignored. */
	complaints: string[];
}

/** Missing parts default to `DEFAULTS`. */
export function readAddress(query: string): Address {
	const asked = new URLSearchParams(query);
	const complaints: string[] = [];

	function read<T>(name: string, parse: (text: string) => T | undefined, expected: string) {
		const text = asked.get(name);
		if (text === null) return undefined;
		const value = parse(text);
		if (value === undefined) {
			complaints.push(`${name}=${text} is ignored: it must be ${expected}.`);
		}
		return value;
	}
	const count = (name: string, least: number, most: number) =>
		read(
			name,
			(text) => (/^\d+$/.test(text) && +text >= least && +text <= most ? +text : undefined),
			`a whole number from ${least} to ${most}`,
		);
	const amount = (name: string, most: number) =>
		read(
			name,
			(text) => (/^\d*\.?\d+$/.test(text) && +text > 0 && +text <= most ? +text : undefined),
			`a number above 0, up to ${most}`,
		);
	const flag = (name: string) => read(name, (text) => text === "1" || undefined, "1") ?? false;

	const script = read("scenario", (name) => SCRIPTS.get(name), [...SCRIPTS.keys()].join(" or "));
	const inputs = read("inputs", readInputs, "ticks with scenes, such as 0:drift,500:fireworks");
	const ticks = count("ticks", 1, LONGEST_REPLAY) ?? DEFAULTS.ticks;
	const setup: Setup = {
		inputs: inputs ?? script ?? DEFAULTS.inputs,
		seed: count("seed", 0, 2 ** 32 - 1) ?? DEFAULTS.seed,
		ticks,
		tick: count("tick", 0, ticks) ?? DEFAULTS.tick,
		playing: flag("play"),
		backend: read(
			"way",
			(text) => BACKENDS.find((backend) => backend === text),
			BACKENDS.join(" or "),
		),
		level: count("level", 0, LADDER.length - 1),
		pixelRatio: amount("ratio", 8),
		memory: amount("memory", 1024),
		cores: count("cores", 1, 1024),
		saveData: flag("save-data"),
		jank: count("jank", 0, 500) ?? DEFAULTS.jank,
	};
	const print = read("print", (text) => /^[0-9a-f]{16}$/.exec(text)?.[0], "16 hex digits");
	return { setup, print, complaints };
}

function readInputs(text: string): Input[] | undefined {
	const inputs: Input[] = [];
	for (const part of text.split(",")) {
		const [, digits = "", name] = /^(\d{1,10}):(\w+)$/.exec(part) ?? [];
		const scene = SCENES.find((scene) => scene === name);
		const before = inputs.at(-1)?.tick ?? -1;
		if (digits === "" || !scene || +digits <= before || +digits > LAST_TICK) return undefined;
		inputs.push({ tick: +digits, scene });
	}
	return inputs;
}

export function writeAddress(setup: Setup, print?: string): string {
	const script = scriptOf(setup.inputs);
	const words: Record<string, string | number | undefined> = {
		...(script ? { scenario: script } : { inputs: writeInputs(setup.inputs) }),
		seed: setup.seed,
		ticks: setup.ticks,
		tick: setup.tick,
		play: setup.playing ? 1 : undefined,
		way: setup.backend,
		level: setup.level,
		ratio: setup.pixelRatio,
		memory: setup.memory,
		cores: setup.cores,
		"save-data": setup.saveData ? 1 : undefined,
		jank: setup.jank || undefined,
		print,
	};
	const said = Object.entries(words).filter(([, word]) => word !== undefined);
	// Colons and commas need no escape in a query, and read better without one.
	return `?${said.map(([name, word]) => `${name}=${word}`).join("&")}`;
}
