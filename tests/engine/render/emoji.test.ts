import { expect, test } from "vitest";
import { stepOf } from "../../../engine/render/emoji.ts";

test.each([7, 14, 19, 20, 21, 28, 77])("each of %i emoji drifts as often as any other", (emoji) => {
	const drifted = Array.from({ length: emoji }, (_, n) => (stepOf(emoji) * n) % emoji);
	expect(new Set(drifted).size).toBe(emoji);
});
