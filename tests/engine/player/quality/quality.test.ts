import { describe, expect, test } from "vitest";
import { initialLevelFor } from "../../../../engine/player/quality/ladder.ts";
import { type Device, gpuCosts, type LevelChange, playOnDevice } from "./device.ts";

const MINUTES = 15;

/** Expected final level and drawn frames per second of each device. */
const devices: Record<string, Device & { level: number; fps: [number, number] }> = {
	"a fast device": { cost: gpuCosts(1, 1), level: 8, fps: [59, 61] },
	"a phone that can do 1.5 of its 3 pixels": {
		cost: gpuCosts(5, 2),
		pixelRatio: 3,
		level: 7,
		fps: [59, 61],
	},
	"a slow device": { cost: gpuCosts(24, 8, 2), pixelRatio: 1, level: 3, fps: [55, 61] },
	"a device limited to ten frames a second, without fences": {
		cost: () => 100,
		fenced: false,
		hints: { onPage: true },
		level: 0,
		fps: [0, 1],
	},
	"a device limited to every second frame at any resolution": {
		cost: () => 27,
		level: 8,
		fps: [29, 31],
	},
	"a device limited to every second frame, up to one pixel": {
		cost: gpuCosts(8, 20),
		level: 6,
		fps: [29, 31],
	},
	"a device limited to ten frames a second": { cost: () => 100, level: 0, fps: [0, 1] },
	"software rendering, and could draw half a pixel at 60": {
		cost: gpuCosts(24, 4, 2),
		pixelRatio: 1,
		hints: { software: true, cores: 2 },
		level: 6,
		fps: [29, 31],
	},
	"a 2D canvas": {
		cost: () => 10,
		pixelRatio: 1,
		fenced: false,
		hints: { software: true, onPage: true, flat: true },
		level: 6,
		fps: [29, 31],
	},
	"a device that gets hot and cools down": {
		cost: (level, seconds) => gpuCosts(3, 2)(level) * (seconds < 180 || seconds > 420 ? 1 : 2.2),
		level: 8,
		fps: [55, 61],
	},
	"a display held at 30 Hz": { cost: gpuCosts(1, 1), hertz: () => 30, level: 8, fps: [29, 31] },
	"a display at 90 Hz": { cost: gpuCosts(1, 1), hertz: () => 90, level: 8, fps: [44, 46] },
	"a display at 120 Hz": { cost: gpuCosts(1, 1), hertz: () => 120, level: 8, fps: [59, 61] },
	"a page that stalls each second": {
		cost: gpuCosts(2, 1),
		stall: { everyMs: 1000, forMs: 300 },
		level: 8,
		fps: [35, 50],
	},
};

/** Start times of attempts at another level. Changes up to 20 s apart are one attempt. */
function attempts(changes: readonly LevelChange[]): number[] {
	const starts = changes.map(({ seconds }) => seconds);
	return starts.filter((seconds, index) => index === 0 || seconds - starts[index - 1]! > 20);
}

describe.each(Object.entries(devices))("%s", (_, { level, fps: [least, most], ...device }) => {
	test.each([1, 2, 3])(
		"settles within 15 s and then tries at most once a minute (seed %d)",
		(seed) => {
			const { changes, quality, fps } = playOnDevice({ ...device, seed }, MINUTES * 60);
			expect(quality.level).toBe(level);
			expect(fps).toBeGreaterThanOrEqual(least);
			expect(fps).toBeLessThanOrEqual(most);
			expect(changes.filter(({ seconds }) => seconds > 15 && seconds < 60)).toEqual([]);
			const later = attempts(changes.filter(({ seconds }) => seconds > 15));
			for (const [index, seconds] of later.slice(1).entries()) {
				expect(seconds - later[index]!).toBeGreaterThan(60);
			}
		},
	);
});

/** A frame costs `busyMs` for `length` seconds, and `cost` before and after. */
const hiccup = (
	cost: Device["cost"],
	from: number,
	length: number,
	busyMs: number,
): Device["cost"] => {
	return (level, seconds) =>
		seconds >= from && seconds < from + length ? busyMs : cost(level, seconds);
};

describe.each([0.8, 1.5, 2.5, 3.5])(
	"a hiccup of %s s while the page starts is forgiven",
	(length) => {
		test.each([0, 0.5, 1.5])("full resolution within 15 s if it begins at %s s", (from) => {
			for (const hints of [{}, { cores: 2 }, { onPage: true }, { cores: 2, onPage: true }]) {
				for (const busyMs of [60, 200]) {
					const cost = hiccup(gpuCosts(1, 1), from, length, busyMs);
					const { changes, quality } = playOnDevice({ cost, hints }, 60);
					expect(quality.level).toBe(8);
					expect(changes.at(-1)!.seconds).toBeLessThan(15);
				}
			}
			const cost = hiccup(gpuCosts(24, 4, 2), from, length, 200);
			const hints = { software: true, cores: 2 };
			const { changes, quality, fps } = playOnDevice(
				{ cost, hints, fenced: false, pixelRatio: 1 },
				60,
			);
			expect(quality.level).toBe(6);
			expect(changes.at(-1)!.seconds).toBeLessThan(15);
			expect(fps).toBeGreaterThan(29);
		});
	},
);

test("once settled, 2 s of unrelated work cost nothing, and 6 s cost pixels for at most 6 s more", () => {
	const after = (length: number) => {
		const { changes } = playOnDevice({ cost: hiccup(gpuCosts(2, 1), 60, length, 60) }, 90);
		return changes.filter(({ seconds }) => seconds > 10);
	};
	expect(after(2)).toEqual([]);
	expect(after(6)[0]).toMatchObject({ to: 7 });
	expect(after(6).at(-1)).toMatchObject({ to: 8 });
	expect(after(6).at(-1)!.seconds).toBeLessThan(72);
});

test("a device that needs seconds for a frame gets a still picture", () => {
	expect(playOnDevice({ cost: () => 2000 }, 120).quality.level).toBe(0);
});

test.each([
	[10, 60, 60, gpuCosts(8, 2)],
	// A frame at full resolution costs 43 ms, about as much as while the page loaded.
	[6, 45, 180, gpuCosts(10, 2)],
])("the level recovers from a page that loads for %d s", (length, busyMs, seconds, cost) => {
	const { quality, fps } = playOnDevice({ cost: hiccup(cost, 0, length, busyMs) }, seconds);
	expect(quality.level).toBe(6);
	expect(fps).toBeGreaterThan(59);
});

test("a device that was too slow for a minute has full resolution soon after its retry", () => {
	const { quality } = playOnDevice({ cost: hiccup(gpuCosts(1, 1), 0, 60, 300) }, 150);
	expect(quality.level).toBe(8);
});

test("a display that slows down to save power does not count as a slow device", () => {
	const hertz = (seconds: number) => (seconds < 30 ? 90 : 60);
	const { changes, fps } = playOnDevice({ cost: gpuCosts(1, 1), hertz }, 90);
	expect(fps).toBeGreaterThan(59);
	expect(changes.filter(({ seconds }) => seconds > 10)).toEqual([]);
});

test.each([
	[5, "an unknown device", {}],
	[4, "2 GB", { memory: 2 }],
	[4, "2 cores", { cores: 2 }],
	[4, "software rendering", { software: true }],
	[4, "the page's thread", { onPage: true }],
	[3, "the page's thread of a weak device", { onPage: true, software: true }],
	[6, "a 2D canvas, which has a whole pixel at once", { onPage: true, software: true, flat: true }],
])("starts at level %d with %s", (level, _, hints) => {
	expect(initialLevelFor({ software: false, onPage: false, ...hints })).toBe(level);
});
