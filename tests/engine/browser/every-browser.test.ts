import { readFile } from "node:fs/promises";
import { runInNewContext } from "node:vm";
import { beforeAll, describe, expect, test } from "vitest";
import { browserNames, openBrowser } from "../../../bench/harness/browsers/open-browser.ts";
import { bundleModule } from "../../../bench/harness/bundle.ts";
import { compiledRegl } from "../../../src/tooling/shaders/compiled-regl.ts";
import { minifyShaders } from "../../../src/tooling/shaders/minify-shaders.ts";
import committed from "../simulation/fingerprints.json" with { type: "json" };
import { referenceShots } from "./moments.ts";
import type { fingerprints } from "./probes/fingerprints-probe.ts";

/*
 * In three browsers, fingerprints must be identical to the bit. Pictures may differ by a pixel at
 * some edges, because browsers rasterize differently.
 */

const compared = ["fireworks-wide", "drift-wide"] as const;

interface Found {
	fingerprints: ReturnType<typeof fingerprints>;
	differences: Record<string, { mean: number; off: number }>;
	poses: { px: number; particles: number };
}

let fingerprintCode = "";
let pictureCode = "";

const call = (code: string, expression: string) => `(() => { ${code}; return ${expression}; })()`;

beforeAll(async () => {
	fingerprintCode = await bundleModule("tests/engine/browser/probes/fingerprints-probe.ts");
	const picture = "tests/engine/browser/probes/picture-probe.ts";
	pictureCode = await bundleModule(picture, [compiledRegl(), minifyShaders()]);
});

test("Node reproduces the committed fingerprints", async () => {
	const node = runInNewContext(call(fingerprintCode, "bundle.fingerprints()"));
	const file = "../simulation/fingerprints.json";
	await expect(`${JSON.stringify(node, null, "\t")}\n`).toMatchFileSnapshot(file);
});

describe.each(browserNames)("%s", { tags: "slow" }, (name) => {
	let found: Found;

	beforeAll(async () => {
		const engine = await openBrowser(name, { graphics: "processor" });
		const ask = async <Answer>(code: string, expression: string) =>
			(await engine.evaluate(call(code, expression))) as Answer;
		try {
			const shot = JSON.stringify({ seed: 3, scene: "both", tick: 5016, width: 1440, height: 900 });
			found = {
				fingerprints: await ask(fingerprintCode, "bundle.fingerprints()"),
				differences: {},
				poses: { px: Number.NaN, particles: 0 },
			};
			found.poses = await ask(pictureCode, `bundle.poseError(${shot})`);
			for (const moment of compared) {
				const png = await readFile(`tests/engine/browser/pictures/${moment}.png`, "base64");
				const photo = `bundle.photograph(${JSON.stringify(referenceShots[moment])})`;
				found.differences[moment] = await ask(
					pictureCode,
					`bundle.comparePictures(${photo}, "data:image/png;base64,${png}")`,
				);
			}
		} finally {
			await engine.close();
		}
	});

	test("reproduces the committed fingerprints", () => {
		expect(found.fingerprints).toEqual(committed);
	});

	test.each(compared)("draws %s like the reference", (moment) => {
		const { mean, off } = found.differences[moment]!;
		expect(mean).toBeLessThan(2);
		expect(off).toBeLessThan(0.02);
	});

	test("poses on the GPU are within 0.1 px of the simulation's", () => {
		const { px, particles } = found.poses;
		expect(particles).toBeGreaterThan(80);
		expect(px).toBeLessThan(0.1);
	});
});
