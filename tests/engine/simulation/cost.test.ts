/** @module-tag slow */
import { runInNewContext } from "node:vm";
import { beforeAll, expect, test } from "vitest";
import { bundle } from "../../../bench/harness/bundle.ts";
import type * as costProbe from "./cost-probe.ts";

// Bundled as for a page, because Vitest's imports cost time at every call.
let probe: typeof costProbe;
beforeAll(async () => {
	const code = await bundle("tests/engine/simulation/cost-probe.ts");
	probe = runInNewContext(`${code}\nbundle`, { performance });
});

/** Retries, because slower code fails every attempt, and interference does not. */
const patient = { retry: 2 };

test.each([10_000, 1_000_000])(
	"a step with %d alive costs as much as with 100, at equal births",
	patient,
	(many) => {
		expect(probe.manyOverFew(many, 100, 15)).toBeLessThan(2);
	},
);

test("a seek across half a year costs as much as one across minutes", patient, () => {
	expect(probe.farOverNear(31)).toBeLessThan(1.5);
});
