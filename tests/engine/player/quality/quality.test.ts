import { describe, expect, test } from "vitest";
import { type Change, costs, type Device, play } from "./device.ts";

const MINUTES = 15;

/** Expected final level and drawn frames per second of each device. */
const devices: Record<string, Device & { level: number; fps: [number, number] }> = {
	"a fast device": { cost: costs(1, 1), level: 8, fps: [59, 61] },
	"a phone that can do 1.5 of its 3 pixels": {
		cost: costs(5, 2),
		pixelRatio: 3,
		level: 7,
		fps: [59, 61],
	},
	"a slow device": { cost: costs(24, 8, 2), pixelRatio: 1, level: 3, fps: [55, 61] },
	"a slow device without fences": {
		cost: costs(24, 8, 2),
		pixelRatio: 1,
		fenced: false,
		hints: { onPage: true },
		level: 3,
		fps: [55, 61],
	},
	"a device limited to every second frame at any resolution": {
		cost: () => 27,
		level: 5,
		fps: [29, 31],
	},
	"a device limited to ten frames a second": { cost: () => 100, level: 0, fps: [0, 1] },
	"software rendering, and could draw half a pixel at 60": {
		cost: costs(24, 4, 2),
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
		cost: (level, seconds) => costs(3, 2)(level) * (seconds < 180 || seconds > 420 ? 1 : 2.2),
		level: 8,
		fps: [55, 61],
	},
	"a display at 120 Hz": { cost: costs(1, 1), hertz: () => 120, level: 8, fps: [59, 61] },
	"a page that stalls each second": {
		cost: costs(2, 1),
		stall: { everyMs: 1000, forMs: 300 },
		level: 8,
		fps: [35, 50],
	},
};

const seeds = [1, 2, 3];

/** Counts changes; a climb that is undone counts once. */
function tries(changes: readonly Change[]): number {
	return changes.filter(({ from, to, seconds }, index) => {
		const before = changes[index - 1];
		return !(before && to < from && before.to > before.from && seconds - before.seconds < 30);
	}).length;
}

function triesWithin(changes: readonly Change[], start: number, length: number): number {
	return tries(changes.filter(({ seconds }) => seconds >= start && seconds < start + length));
}

describe.each(Object.entries(devices))("%s (seeds 1 to 3)", (_, device) => {
	const runs = seeds.map((seed) => play({ ...device, seed }, MINUTES * 60));

	test("ends at the highest level it can hold", () => {
		expect(runs.map(({ quality }) => quality.ladder.level)).toEqual(seeds.map(() => device.level));
	});

	test("reaches its frame rate", () => {
		for (const { fps } of runs) {
			expect(fps).toBeGreaterThanOrEqual(device.fps[0]);
			expect(fps).toBeLessThanOrEqual(device.fps[1]);
		}
	});

	test("settles within 10 s", () => {
		for (const { changes } of runs) {
			expect(changes.filter(({ seconds }) => seconds > 10 && seconds < 60)).toEqual([]);
		}
	});

	test("then changes at most once a minute", () => {
		const hot = device.cost(8, 200) > device.cost(8, 0);
		for (const { changes } of runs) {
			const later = changes.filter(({ seconds }) => seconds > 10);
			expect(later.length).toBeLessThanOrEqual(MINUTES);
			// Overheating may cost two levels at once.
			for (const { seconds } of later) {
				expect(triesWithin(later, seconds, 60)).toBeLessThanOrEqual(hot && seconds < 240 ? 2 : 1);
			}
		}
	});
});

describe("a fast device's hiccup during startup", () => {
	const lengths = [0.8, 1.5, 2.5, 3.5];

	test.each(lengths)("costs pixels for at most 13 s after %s s, whenever it begins", (length) => {
		for (const hints of [{}, { cores: 2 }, { onPage: true }]) {
			for (const from of [0, 0.5, 1.5]) {
				for (const busyMs of [60, 200]) {
					const isBusy = (seconds: number) => seconds >= from && seconds < from + length;
					const cost = (level: number, seconds: number) =>
						isBusy(seconds) ? busyMs : costs(1, 1)(level);
					const { changes, quality } = play({ cost, hints }, 60);
					expect(quality.ladder.level).toBe(8);
					expect(changes.at(-1)!.seconds).toBeLessThan(13);
				}
			}
		}
	});
});

test("software rendering reaches a whole pixel within 15 s of a startup hiccup", () => {
	for (const length of [0.8, 1.5, 2.5, 3.5]) {
		for (const from of [0, 0.5, 1]) {
			const isBusy = (seconds: number) => seconds >= from && seconds < from + length;
			const cost = (level: number, seconds: number) =>
				isBusy(seconds) ? 200 : costs(24, 4, 2)(level);
			const hints = { software: true, cores: 2 };
			const { changes, quality, fps } = play({ cost, hints, held: true, pixelRatio: 1 }, 60);
			expect(quality.ladder.level).toBe(6);
			expect(changes.at(-1)!.seconds).toBeLessThan(15);
			expect(fps).toBeGreaterThan(29);
		}
	}
});

test("a second of unrelated work costs nothing once settled", () => {
	const busy = (seconds: number) => seconds > 60 && seconds < 61;
	const cost = (level: number, seconds: number) => costs(2, 1)(level) * (busy(seconds) ? 3 : 1);
	const { changes } = play({ cost }, 90);
	expect(changes.filter(({ seconds }) => seconds > 10)).toEqual([]);
});
