import { beforeAll, describe, expect, test } from "vitest";
import { EMOJI } from "../../../engine/simulation/index.ts";
import { bundleEdited, type Edit } from "../edited-bundle.ts";
import type * as probe from "./emoji-probe.ts";

/* Changes the number of emoji in engine/simulation/rules.ts, in a bundle only. */

function listOf(number: number): Edit {
	const list = Array.from({ length: number }, (_, i) => EMOJI[i] ?? `emoji ${i}`);
	return ["rules.ts", "EMOJI = [", `EMOJI = ${JSON.stringify(list)};\nconst unused = [`];
}

describe.each([19, 21, 28])("with %i emoji", (number) => {
	let edited: typeof probe;
	beforeAll(async () => {
		edited = await bundleEdited("tests/engine/render/emoji-probe.ts", [listOf(number)]);
	});

	test("a round of floats has each of them once, as records and on the screen", () => {
		const { createSimulation, emojiOf, FIELD, STRIDE, seek } = edited;
		const simulation = createSimulation(7, "drift");
		seek(simulation, 60 * 2 * number);
		for (const first of [0, number]) {
			const slots = Array.from({ length: number }, (_, i) => first + i);
			const { floats } = simulation.records;
			expect(new Set(slots.map((slot) => floats[slot * STRIDE + FIELD.emoji])).size).toBe(number);
			expect(new Set(slots.map((slot) => emojiOf(simulation, slot))).size).toBe(number);
		}
	});

	test("the atlas has a cell for each", () => {
		const { ATLAS, atlasCellAt } = edited;
		const cells = Array.from({ length: number + ATLAS.glows }, (_, index) => atlasCellAt(index));
		expect(new Set(cells.map(({ left, top }) => `${left} ${top}`)).size).toBe(cells.length);
	});
});
