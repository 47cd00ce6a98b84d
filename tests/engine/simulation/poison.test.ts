/** @module-tag nodes */
import { createContext, runInContext } from "node:vm";
import { beforeAll, expect, test } from "vitest";
import { bundleModule } from "../../../bench/harness/bundle.ts";
import { SCENARIOS } from "../../../bench/harness/scenarios.ts";
import { FINGERPRINTS } from "./fingerprints.ts";

/** The parts of `Math` that are exact in every JavaScript engine. */
const EXACT = ["abs", "ceil", "clz32", "floor", "fround", "imul", "max", "min", "round", "trunc"];

/** In a separate realm, makes everything throw that differs between JavaScript engines or runs. */
const POISON = `
	const poison = (name) => () => { throw new Error("The simulation used " + name + "."); };
	for (const name of Object.getOwnPropertyNames(Math))
		if (typeof Math[name] === "function" && !${JSON.stringify(EXACT)}.includes(name))
			Math[name] = poison("Math." + name);
	for (const name of ["Date", "Intl", "performance", "crypto", "setTimeout", "queueMicrotask"])
		globalThis[name] = new Proxy(class {}, { get: poison(name), apply: poison(name), construct: poison(name) });
	Number.prototype.toLocaleString = poison("toLocaleString");
`;

let code = "";
let door = "";
beforeAll(async () => {
	code = await bundleModule("tests/engine/simulation/fingerprints.ts");
	door = await bundleModule("engine/simulation/index.ts");
});

function runPoisoned(script: string, bundled = code): unknown {
	return runInContext(`${POISON}${bundled}\n${script}`, createContext({}));
}

test("the simulation plays its scenarios without randomness, clock or inexact functions", () => {
	for (const name of ["both 42", "visit 42"]) {
		const marks = runPoisoned(`
			const scenario = ${JSON.stringify(SCENARIOS.find((scenario) => scenario.name === name))};
			[bundle.fingerprintScenario(scenario), bundle.fingerprintBySeeks(scenario)]
		`);
		expect(Array.from(marks as string[])).toEqual([FINGERPRINTS[name], FINGERPRINTS[name]]);
	}
});

test("ticks, poses and changes use no randomness, clock or inexact functions, either", () => {
	const script = `
		const { advanceClock, createClock, resetClock, createSimulation, step, ...rest } = bundle;
		const clock = createClock();
		const simulation = createSimulation(1, "both");
		const cursor = rest.createCursor();
		const pose = new Float32Array(rest.POSE.length);
		const ticks = [0, 16667, 5_000_000].map((us) => advanceClock(clock, us));
		resetClock(clock);
		ticks.push(advanceClock(clock, 9_000_000), advanceClock(clock, 9_016_667));
		for (let tick = 0; tick < 200; tick++) step(simulation);
		for (let slot = 0; slot < simulation.slots; slot++)
			rest.writePose(simulation.records, slot, 200.5, pose);
		ticks.push(rest.readChanges(simulation, cursor, new Int32Array(rest.CHANGES_LENGTH)));
		ticks.join()
	`;
	expect(runPoisoned(script, door)).toBe("0,1,15,0,1,2");
});

test("no power uses the operator `**`, which the poison cannot detect", () => {
	// Bundling computes constant powers. A remaining `**` may be inexact, except of 2.
	const powers = code
		.split("\n")
		.filter((line) => /\*\*(?!\/)/.test(line) && !/^\s*(\/?\*|\/\/)/.test(line));
	expect(powers.filter((line) => !/\b2 \*\* \d+/.test(line))).toEqual([]);
});
