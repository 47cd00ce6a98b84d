import { expect, test } from "vitest";
import {
	begin,
	createLadder,
	forgetLevels,
	isLowest,
	LADDER,
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
