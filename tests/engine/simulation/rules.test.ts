import { runInNewContext } from "node:vm";
import { beforeAll, expect, test } from "vitest";
import { bundle } from "../../../bench/harness/bundle.ts";
import { rulesFingerprint } from "../../../engine/simulation/fingerprint.ts";

/** Unnamed numbers inside functions: a piece of source, and its replacement. */
const CHANGES: Record<string, [from: string, to: string][]> = {
	drift: [
		["near * (0.55 +", "near * (0.56 +"],
		["[2] - 0.5) * FLOAT.across", "[2] - 0.51) * FLOAT.across"],
		["(first ? 0 : across / 2)", "(first ? 0 : across / 2.1)"],
	],
	fireworks: [
		["(chance[0] - 0.5) * 0.2", "(chance[0] - 0.5) * 0.21"],
		["1 - (2 * spark + 1)", "1 - (2 * spark + 1.1)"],
	],
	random: [
		["569420461", "569420463"],
		["x ^ x >>> 16", "x ^ x >>> 17"],
		["place + 1", "place + 2"],
	],
	trig: [
		["6.283185307179586", "6.2831"],
		["0.25 - Math.abs", "0.2501 - Math.abs"],
		["step < 10", "step < 2"],
	],
	rings: [
		["2 * cadence.initial", "3 * cadence.initial"],
		["bit: 2", "bit: 1"],
	],
};

let code = "";
let rules: unknown;
beforeAll(async () => {
	code = lean(await bundle("engine/simulation/fingerprint.ts"));
	rules = rulesOf(code);
});

/** Without leading zeros, some of which bundling removes. */
function lean(source: string): string {
	return source.replace(/\b0\./g, ".");
}

function rulesOf(script: string): unknown {
	return runInNewContext(`${script}\nbundle.rulesFingerprint()`);
}

test("the rules have one fingerprint", () => {
	expect(rules).toMatch(/^[0-9a-f]{16}$/);
	expect(rulesOf(code)).toBe(rules);
});

test("it is the same in any bundle: files move between browsers and Node", () => {
	expect(rules).toBe(rulesFingerprint());
});

test("it does not depend on source formatting", () => {
	expect(rulesOf(`// A comment.\n${code.replaceAll("\t", "  ")}`)).toBe(rules);
});

const changes = Object.entries(CHANGES).map(([file, changes]) => changes.map((c) => [file, ...c]));

test.each(changes.flat())("it changes if %s has %s replaced by %s", (_, from, to) => {
	const pieces = code.split(lean(from!));
	expect(pieces.length, `"${from}" is not found`).toBeGreaterThan(1);
	expect(rulesOf(pieces.join(lean(to!)))).not.toBe(rules);
});
