import { beforeAll, expect, test } from "vitest";
import { type Ask, openProbe } from "./open-probe.ts";
import type * as probe from "./probes/light-probe.ts";

let ask: Ask<typeof probe>;

beforeAll(async () => {
	ask = await openProbe("light");
});

test.each([0, 3600])(
	"the sphere's rim stands out from the morning sky all around at tick %i",
	async (tick) => {
		const contrasts = await ask("rimContrasts", { width: 1440, height: 900, ratio: 0.75 }, tick);
		expect(Math.min(...contrasts)).toBeGreaterThan(1.15);
	},
);

test("a high-resolution sky shows no banding, day or night", async () => {
	const size = { width: 720, height: 450 };
	for (const night of [0, 1]) {
		expect(await ask("longestRun", { ...size, ratio: 2 }, night)).toBeLessThanOrEqual(8);
	}
	// Below the display's resolution grain is off: such machines are too slow.
	expect(await ask("longestRun", { ...size, ratio: 0.75 }, 0)).toBeGreaterThan(8);
});
