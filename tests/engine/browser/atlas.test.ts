import { beforeAll, expect, test } from "vitest";
import { type Ask, openProbe } from "./open-probe.ts";
import type * as probe from "./probes/atlas-probe.ts";

/** Gray emoji; then a letter and an unassigned code point, which no font draws as emoji. */
const GREY = ["🤍", "🖤", "⚽", "🎱", "☁️", "✉️", "🛡️"];
const NONE = ["A", "\u{10fffd}"];

let ask: Ask<typeof probe>;

beforeAll(async () => {
	ask = await openProbe("atlas");
});

test.each([1, 2])(
	"the atlas paints gray emoji but not letters or missing glyphs (detail %i)",
	async (detail) => {
		const shares = await ask("covered", [...GREY, ...NONE], detail);
		for (const share of shares.slice(0, GREY.length)) expect(share).toBeGreaterThan(0.15);
		expect(shares.slice(GREY.length)).toEqual(NONE.map(() => 0));
	},
);

test("a GPU with many pixels gets a detailed atlas once; phones and software rendering do not", {
	tags: "slow",
}, async () => {
	const ratios = [0.75, 1, 1.5, 2, 1, 2];
	expect(await ask("edgesSent", ratios, 1000, false)).toEqual([1024, 2048]);
	expect(await ask("edgesSent", ratios, 390, false)).toEqual([1024]);
	expect(await ask("edgesSent", ratios, 1000, true)).toEqual([1024]);
});
