import { runInNewContext } from "node:vm";
import { beforeAll, describe, expect, test } from "vitest";
import { engines, PATIENCE_MS } from "../../../bench/harness/browsers/engines.ts";
import { bundle } from "../../../bench/harness/bundle.ts";
import { MARKS } from "../../../bench/harness/scenarios.ts";
import type { controlFingerprint, fingerprints } from "./fingerprints-probe.ts";

interface Probed {
	found: ReturnType<typeof fingerprints>;
	control: ReturnType<typeof controlFingerprint>;
}

let expression = "";
let node: Probed;

beforeAll(async () => {
	const code = await bundle("tests/engine/browser/fingerprints-probe.ts");
	expression = `(() => {
		${code};
		return { found: bundle.fingerprints(), control: bundle.controlFingerprint() };
	})()`;
	node = structuredClone(runInNewContext(expression)) as Probed;
}, PATIENCE_MS);

test("Node leaves the fingerprints that are written down", () => {
	expect(node.found.marks).toEqual(MARKS);
});

describe.each(Object.keys(engines))("%s", (name) => {
	let probed: Probed;

	beforeAll(async () => {
		const engine = await engines[name]!();
		try {
			probed = (await engine.evaluate(expression)) as Probed;
		} finally {
			await engine.close();
		}
	}, PATIENCE_MS);

	test("leaves the fingerprints that are written down", () => {
		for (const [scenario, marks] of Object.entries(MARKS))
			expect(probed.found.marks[scenario]!.join("\n")).toBe(marks.join("\n"));
	});

	test("has the same rules and the same poses as Node, to the bit", () => {
		expect(probed.found.rules).toBe(node.found.rules);
		expect(probed.found.poses).toBe(node.found.poses);
	});

	test("would not have them if the simulation used Math.sin", () => {
		expect(probed.control).toMatch(/^[0-9a-f]{16}$/);
		expect(probed.control).not.toBe(node.control);
	});
});
