import { readFile } from "node:fs/promises";
import { beforeAll, describe, expect, test } from "vitest";
import { engines, PATIENCE_MS } from "../../../bench/harness/browsers/engines.ts";
import { bundle } from "../../../bench/harness/bundle.ts";
import { compileProcedures, recordingRegl } from "../../../src/tooling/compiled-regl.ts";
import { leanShaders } from "../../../src/tooling/lean-shaders.ts";

/*
 * The same picture in three browsers. The reference is Chromium's, drawn by software. The others have
 * other rasterisers and filters, so edges differ by a pixel here and there.
 */

const moments = {
	"drift-wide": { seed: 42, scene: "drift", tick: 1500, width: 720, height: 450 },
	"fireworks-wide": { seed: 42, scene: "fireworks", tick: 400, width: 720, height: 450 },
};

let pictureCode = "";
let procedureCode = "";

beforeAll(async () => {
	pictureCode = await bundle("tests/engine/browser/picture-probe.ts", [leanShaders()]);
	procedureCode = await bundle("tests/engine/browser/picture-probe.ts", [recordingRegl()]);
});

describe.each(Object.keys(engines))("%s", (name) => {
	const found: Record<string, unknown> = {};

	beforeAll(async () => {
		const engine = await engines[name]!({ graphics: "processor" });
		const ask = (code: string, expression: string) =>
			engine.evaluate(`(() => { ${code}; return ${expression}; })()`);
		try {
			for (const [moment, shot] of Object.entries(moments)) {
				const png = await readFile(`tests/engine/browser/pictures/${moment}.png`, "base64");
				const photo = `bundle.photograph(${JSON.stringify(shot)})`;
				found[moment] = await ask(
					pictureCode,
					`bundle.compare(${photo}, "data:image/png;base64,${png}")`,
				);
			}
			const shot = { seed: 3, scene: "both", tick: 5000, width: 1440, height: 900 };
			found.poses = await ask(pictureCode, `bundle.poseError(${JSON.stringify(shot)})`);
			for (const version of ["webgl", "webgl2"])
				found[version] = await ask(procedureCode, `bundle.recordedProcedures("${version}")`);
		} finally {
			await engine.close();
		}
	}, PATIENCE_MS);

	test.each(Object.keys(moments))("draws %s like the reference", (moment) => {
		const { mean, off } = found[moment] as { mean: number; off: number };
		expect(mean).toBeLessThan(2);
		expect(off).toBeLessThan(0.02);
	});

	test("has the GPU's poses within 0.1 px of the simulation's", () => {
		const { px, particles } = found.poses as { px: number; particles: number };
		expect(particles).toBeGreaterThan(100);
		expect(px).toBeLessThan(0.1);
	});

	test.each(["webgl", "webgl2"])(
		"needs the procedures that the build compiled, on %s",
		async (version) => {
			expect(found[version]).toEqual(await compileProcedures());
		},
	);
});
