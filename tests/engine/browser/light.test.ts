import { beforeAll, expect, test } from "vitest";
import { sized } from "../../sized.ts";
import { type Ask, openProbe } from "./open-probe.ts";
import type * as probe from "./probes/light-probe.ts";

let ask: Ask<typeof probe>;

beforeAll(async () => {
	ask = await openProbe("light");
});

test.each(sized([0, 3600], [0, 900, 1800, 2700, 3600, 5000, 6300]))(
	"the sphere's rim stands out from the morning sky all round at tick %i",
	async (tick) => {
		const contrasts = await ask("rimContrasts", { width: 1440, height: 900, ratio: 0.75 }, tick);
		expect(Math.min(...contrasts)).toBeGreaterThan(1.15);
	},
);

test("a sky with many pixels shows no steps, by night and by day", async () => {
	const size = sized({ width: 720, height: 450 }, { width: 1440, height: 900 });
	for (const night of [0, 1]) {
		expect(await ask("longestRun", { ...size, ratio: 2 }, night)).toBeLessThanOrEqual(8);
	}
	// Grain takes time that a machine has not that draws fewer pixels than there are.
	expect(await ask("longestRun", { ...size, ratio: 0.75 }, 0)).toBeGreaterThan(8);
});
