import type { Browser } from "playwright-core";
import type { Counts } from "../probe/probe.ts";
import { type NodeProbe, runInNode } from "../probe/run-probe.ts";
import type { Measured } from "../row.ts";

/** Each scene alone, both together, and a visit from one to the other. */
const PLAYED = ["drift 42", "fireworks 42", "both 42", "visit 42"] as const;

const METRICS: readonly [
	key: Exclude<keyof Counts, "fingerprint">,
	name: string,
	unit: string,
	reason: string,
][] = [
	["ticks", "ticks", "ticks", "a frame of a 60 Hz display brings one"],
	["records", "records written", "records", "births, and floats that are told of an early death"],
	["alive", "particles alive", "particles, summed over frames", "the rules say how many"],
	["bytesUploaded", "bytes uploaded", "bytes", "births only"],
	["drawCalls", "draw calls", "calls", "one for sky and sphere, one for all sprites"],
	[
		"vertices",
		"vertices drawn",
		"vertices",
		"the sphere, and the quads of all rings in which something lives",
	],
	[
		"stateChanges",
		"state changes",
		"calls",
		"the two commands differ in program, attributes and blending",
	],
	["uniforms", "uniforms", "calls", "one for each command"],
	[
		"objects",
		"GL objects",
		"objects made after warm-up",
		"none: what is made is made at the start",
	],
	["fences", "fences", "fences", "one behind each picture, deleted when it has passed"],
	["others", "other GL calls", "calls", "a fence that is looked at and deleted"],
];

const equal = new Set<string>(["ticks", "records", "alive"]);

export type CountsByScenario = Readonly<Record<string, Counts>>;

/** Uses a WebGL stub. */
export async function countInNode(probe: NodeProbe): Promise<CountsByScenario> {
	return (await runInNode(
		probe,
		`return Object.fromEntries(${JSON.stringify(PLAYED)}.map((name) => [name, bundle.countFrames(name)]))`,
	)) as CountsByScenario;
}

/** Uses real WebGL. */
export async function countInChromium(browser: Browser, code: string): Promise<CountsByScenario> {
	const page = await browser.newPage();
	try {
		await page.addScriptTag({ content: code });
		return await page.evaluate(
			(names) => {
				const { bundle } = globalThis as unknown as {
					bundle: { countFrames(name: string): Counts };
				};
				return Object.fromEntries(names.map((name) => [name, bundle.countFrames(name)]));
			},
			[...PLAYED],
		);
	} finally {
		await page.close();
	}
}

/** Names look like "draw calls, drift 42". */
export function measureCounts(counts: CountsByScenario): Measured[] {
	return METRICS.flatMap(([key, name, unit, reason]) =>
		PLAYED.map((scenario) => ({
			tier: "counts" as const,
			name: `${name}, ${scenario}`,
			value: counts[scenario]![key],
			unit: `${unit} in 600 frames`,
			reason,
			...(equal.has(key) && { equal: true }),
		})),
	);
}

export function differences(
	node: CountsByScenario,
	chromium: CountsByScenario,
): Map<string, string> {
	const found = new Map<string, string>();
	for (const scenario of PLAYED) {
		for (const [key, name] of METRICS) {
			const other = chromium[scenario]![key];
			if (other !== node[scenario]![key]) {
				found.set(`${name}, ${scenario}`, `Chromium counts ${other}`);
			}
		}
	}
	return found;
}
