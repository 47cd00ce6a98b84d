import { describe, expect, test } from "vitest";
import { LADDER } from "../../../../engine/player/quality/ladder.ts";
import { createQuality } from "../../../../engine/player/quality/quality.ts";
import { costs, play } from "./device.ts";

describe("the start", () => {
	const fast = { software: false, onPage: false };

	test("is low, and lower the weaker the device looks", () => {
		const start = (hints: object) => createQuality({ ...fast, ...hints }, true, 2).ladder.level;
		expect(start({})).toBeLessThan(LADDER.length - 1);
		for (const weakness of [{ memory: 2 }, { cores: 2 }, { software: true }, { onPage: true }]) {
			expect(start(weakness)).toBeLessThan(start({}));
		}
		expect(start({ onPage: true, software: true })).toBeLessThan(start({ onPage: true }));
	});

	test("is all that hints decide", () => {
		const hints = { memory: 1, cores: 1, software: true, onPage: true };
		expect(play({ cost: costs(1, 1), hints }, 30).quality.ladder.level).toBe(8);
	});

	test("is within what the display can show, and moves on any", () => {
		expect(createQuality(fast, true, 0.3).ladder.level).toBe(3);
	});
});
