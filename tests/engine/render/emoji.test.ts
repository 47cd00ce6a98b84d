import { expect, test } from "vitest";
import { stepOf } from "../../../engine/render/emoji.ts";

test.each([7, 14, 19, 20, 21, 28, 77])("all of %i emoji drift equally often", (emoji) => {
	const drifted = Array.from({ length: emoji }, (_, n) => (stepOf(emoji) * n) % emoji);
	expect(new Set(drifted).size).toBe(emoji);
});
