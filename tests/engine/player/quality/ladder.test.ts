/** What each constant of the ladder means: half of it or twice as much fails here. */
import { describe, expect, test } from "vitest";
import {
	begin,
	createLadder,
	fallsWhileSettling,
	forgetLevels,
	goDown,
	goUp,
	isKept,
	isLowest,
	isOnProbation,
	isVain,
	LADDER,
	land,
	mayClimb,
	nextTry,
	takeBack,
} from "../../../../engine/player/quality/ladder.ts";

const fast = { software: false, onPage: false };

/** A ladder whose first frame was at 0. */
function start(hints = {}, pixelRatio = 2) {
	const ladder = createLadder({ ...fast, ...hints }, pixelRatio);
	begin(ladder, 0);
	return ladder;
}

test("the levels give pixels, and on the lowest ones frames", () => {
	const third = 1 / 3;
	expect(LADDER.map(({ pixelRatio }) => pixelRatio)).toEqual([
		...[third, third, third, 0.4, 0.5, 0.75, 1, 1.5, 2],
	]);
	const rates = LADDER.map(({ every }) => (every === 0 ? 0 : Math.round(1000 / every)));
	expect(rates).toEqual([0, 30, 60, 60, 60, 60, 60, 60, 60]);
	expect(LADDER.map(({ late }) => late)).toEqual([0, 90, 40, 20, 20, 20, 20, 20, 20]);
	expect(LADDER.map((_, level) => isLowest({ ...start(), level }))).toEqual([
		...[true, true, true, false, false, false, false, false, false],
	]);
});

test.each([
	[5, "a device of which nothing is known", {}],
	[5, "4 GB and 3 cores", { memory: 4, cores: 3 }],
	[4, "2 GB", { memory: 2 }],
	[4, "2 cores", { cores: 2 }],
	[4, "a processor that does the GPU's work", { software: true }],
	[4, "the page's thread", { onPage: true }],
	[3, "the page's thread of a weak device", { onPage: true, software: true }],
	[6, "a 2D canvas, which has a whole pixel at once", { onPage: true, software: true, flat: true }],
])("it starts at level %d with %s", (level, _, hints) => {
	expect(start(hints).level).toBe(level);
});

test("a 2D canvas starts with no more pixels than there are", () => {
	expect(createLadder({ ...fast, flat: true }, 0.5).level).toBe(4);
});

test("a fixed level is kept, and one that there is not is the highest", () => {
	const levels = [0, 3, 8, 9, 100].map((fixed) => createLadder(fast, 1, fixed).level);
	expect(levels).toEqual([0, 3, 8, 8, 8]);
});

test.each([
	[3, 0.3],
	[3, 0.4],
	[4, 0.45],
	[5, 0.6],
	[6, 1],
	[7, 1.1],
	[8, 2],
	[8, 3],
])("level %d is the highest one for %d device pixels in a CSS px", (top, pixelRatio) => {
	expect(start({}, pixelRatio).top).toBe(top);
	const ladder = start();
	forgetLevels(ladder, pixelRatio);
	expect(ladder.top).toBe(top);
	expect(ladder.level).toBe(Math.min(5, top));
});

describe("the next level may be tried", () => {
	test("after 0.7 s without a change in the first 8 s, and after a minute later", () => {
		const times = [699, 700, 7999, 8000, 59_999, 60_000];
		const ladder = start();
		expect(times.map((timeMs) => mayClimb(ladder, timeMs))).toEqual([
			...[false, true, true, false, false, true],
		]);
		goUp(ladder, 1000);
		expect([1699, 1700].map((timeMs) => mayClimb(ladder, timeMs))).toEqual([false, true]);
	});

	test("3 s after a fall in the first 5 s, and 2 minutes after a later one", () => {
		const ladder = start();
		expect([4999, 5000].map((timeMs) => fallsWhileSettling(ladder, timeMs))).toEqual([true, false]);
		goDown(ladder, 4000, 20);
		expect(nextTry(ladder)).toBe(7000);
		expect([6999, 7000].map((timeMs) => mayClimb(ladder, timeMs))).toEqual([false, true]);
		goDown(ladder, 5000, 20);
		expect(nextTry(ladder)).toBe(125_000);
	});

	test("2, 2, 4, 8 … 64 minutes after a climb to it has failed again", () => {
		const ladder = start();
		let now = 100_000;
		const minutes = Array.from({ length: 8 }, () => {
			goUp(ladder, now);
			goDown(ladder, now + 29_999, 20);
			const wait = nextTry(ladder) - now - 29_999;
			now = nextTry(ladder);
			return wait / 60_000;
		});
		expect(minutes).toEqual([2, 4, 8, 16, 32, 64, 64, 64]);
		forgetLevels(ladder, 2);
		expect(nextTry(ladder)).toBe(0);
		goDown(ladder, now, 20);
		expect(nextTry(ladder)).toBe(now + 120_000);
	});
});

test("a climb is on probation for 30 s, and one that fails ends the settling, but for its first 5 s", () => {
	const ladder = start();
	const isSettling = (timeMs: number) =>
		mayClimb({ ...ladder, retryAt: new Float64Array(9) }, timeMs);
	expect(isOnProbation(ladder, 0)).toBe(false);
	goUp(ladder, 1000);
	expect([30_999, 31_000].map((timeMs) => isOnProbation(ladder, timeMs))).toEqual([true, false]);
	goDown(ladder, 2000, 20);
	expect(nextTry(ladder)).toBe(5000);
	expect(isSettling(3000)).toBe(true);
	goUp(ladder, 5000);
	goDown(ladder, 6000, 20);
	expect(nextTry(ladder)).toBe(126_000);
	expect(isSettling(7000)).toBe(false);
});

test("it goes on settling while each climb is followed by the next within 2 s", () => {
	const ladder = start({ onPage: true, software: true });
	goDown(ladder, 4000, 20);
	for (const timeMs of [7900, 9800, 11_700]) {
		expect(mayClimb(ladder, timeMs), `${timeMs}`).toBe(true);
		goUp(ladder, timeMs);
	}
	expect([13_699, 13_700].map((timeMs) => mayClimb(ladder, timeMs))).toEqual([true, false]);
});

describe("a descent", () => {
	/** Falls three levels from the fifth, in two seconds, with a gap of 40 ms there. */
	function descend() {
		const ladder = start();
		for (const [index, gapMs] of [40, 50, 60].entries()) {
			goDown(ladder, 100_000 + 1000 * index, gapMs);
		}
		expect(ladder.level).toBe(2);
		return ladder;
	}

	test("lands where a level is held for 2 s, and has won when gaps are shorter by a twentieth", () => {
		const ladder = descend();
		expect(land(ladder, 103_999, 39)).toBe(false);
		expect(land(ladder, 104_000, 37.9)).toBe(false);
		expect(ladder.level).toBe(2);
		// It is over: what comes later is another one's.
		expect(land(ladder, 105_000, 40)).toBe(false);
		expect(ladder.level).toBe(2);
	});

	test("that has won less is taken back to where it began, which may be tried at once from below", () => {
		const ladder = descend();
		expect(land(ladder, 104_000, 38.1)).toBe(true);
		expect(ladder.level).toBe(5);
		ladder.level = 4;
		expect(nextTry(ladder)).toBe(0);
	});

	test("is not taken back by a device that is too slow to move", () => {
		expect([89, 90].map((gapMs) => isVain(descend(), gapMs))).toEqual([true, false]);
	});

	test("keeps the level it is taken back to, until that is slower by a quarter, or has been faster", () => {
		const ladder = descend();
		takeBack(ladder, 104_000);
		expect([49.9, 50].map((gapMs) => isKept(ladder, gapMs))).toEqual([true, false]);
		land(ladder, 200_000, 38.1);
		expect(isKept(ladder, 40)).toBe(true);
		land(ladder, 200_000, 37.9);
		expect(isKept(ladder, 40)).toBe(false);
	});

	test("is forgotten by a climb", () => {
		const ladder = descend();
		goUp(ladder, 104_000);
		expect(land(ladder, 200_000, 100)).toBe(false);
		expect(ladder.level).toBe(3);
	});
});
