import { createContext, runInContext } from "node:vm";
import { beforeAll, expect, test } from "vitest";
import { bundle } from "../bundle.ts";
import { MARKS } from "../scenarios.ts";

/** What the simulation may use of `Math`: exact in every engine. */
const EXACT = ["abs", "ceil", "clz32", "floor", "fround", "imul", "max", "min", "round", "trunc"];

/** Replaces, in a world of its own, all that differs between engines, times or runs. */
const POISON = `
	const poison = (name) => () => { throw new Error("The simulation used " + name + "."); };
	for (const name of Object.getOwnPropertyNames(Math))
		if (typeof Math[name] === "function" && !${JSON.stringify(EXACT)}.includes(name))
			Math[name] = poison("Math." + name);
	for (const name of ["Date", "Intl", "performance", "crypto", "setTimeout", "queueMicrotask"])
		Object.defineProperty(globalThis, name, { get: poison(name) });
	Number.prototype.toLocaleString = poison("toLocaleString");
`;

let code = "";
beforeAll(async () => {
	code = await bundle("tests/scenarios.ts");
}, 60_000);

function runPoisoned(script: string): unknown {
	return runInContext(`${POISON}${code}\n${script}`, createContext({}));
}

test("the simulation plays its scenarios without chance, clock or inexact functions", () => {
	for (const name of ["both 42", "visit 42"]) {
		const marks = runPoisoned(`
			const scenario = bundle.SCENARIOS.find(({ name }) => name === "${name}");
			[bundle.playScenario(scenario).join(), bundle.leapThroughScenario(scenario).join()]
		`);
		expect(Array.from(marks as string[])).toEqual([MARKS[name]!.join(), MARKS[name]!.join()]);
	}
});

test.each([
	"Math.random()",
	"Math.sin(1)",
	"Math.sqrt(2)",
	"Math.pow(2, 0.5)",
	"Date.now()",
	"performance.now()",
	"(1).toLocaleString()",
])("%s would have been noticed", (call) => {
	expect(() => runPoisoned(call)).toThrow(/The simulation used/);
});

test("powers are not written with an operator that the poison misses", () => {
	// `a ** b` of constants is folded while bundling; any other is `Math.pow` under another name.
	const powers = code
		.split("\n")
		.filter((line) => /\*\*(?!\/)/.test(line) && !/^\s*(\/?\*|\/\/)/.test(line));
	expect(powers.filter((line) => !/\b2 \*\* \d+/.test(line))).toEqual([]);
});
