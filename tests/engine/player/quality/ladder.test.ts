import { expect, test } from "vitest";
import { createLadder } from "../../../../engine/player/quality/ladder.ts";

test.each([
	[5, "an unknown device", {}],
	[4, "2 GB", { memory: 2 }],
	[4, "2 cores", { cores: 2 }],
	[4, "software rendering", { software: true }],
	[4, "the page's thread", { onPage: true }],
	[3, "the page's thread of a weak device", { onPage: true, software: true }],
	[6, "a 2D canvas, which has a whole pixel at once", { onPage: true, software: true, flat: true }],
])("starts at level %d with %s", (level, _, hints) => {
	expect(createLadder({ software: false, onPage: false, ...hints }, 2).level).toBe(level);
});
