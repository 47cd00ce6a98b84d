import type { Page } from "playwright-core";
import { beforeAll, expect, test } from "vitest";
import { bundle } from "../../../bench/harness/bundle.ts";
import { compiledRegl } from "../../../src/tooling/shaders/compiled-regl.ts";
import { leanShaders } from "../../../src/tooling/shaders/lean-shaders.ts";
import { sharedChromium } from "../../shared.ts";
import { slowTest } from "../../sized.ts";
import type * as probe from "./atlas-probe.ts";

/** Grey ones, then what the system has no emoji for: a letter, and a code point that is none. */
const GREY = ["🤍", "🖤", "⚽", "🎱", "☁️", "✉️", "🛡️"];
const NONE = ["A", "\u{10fffd}"];

let page: Page;

beforeAll(async () => {
	page = await (await sharedChromium()).newPage();
	await page.addScriptTag({
		content: await bundle("tests/engine/browser/atlas-probe.ts", [compiledRegl(), leanShaders()]),
	});
});

function ask<Name extends keyof typeof probe>(
	name: Name,
	...values: Parameters<(typeof probe)[Name]>
): Promise<ReturnType<(typeof probe)[Name]>> {
	return page.evaluate(
		([name, values]) =>
			(globalThis as never as { bundle: Record<string, (...values: unknown[]) => never> }).bundle[
				name
			]!(...values),
		[name, values] as const,
	);
}

test.each([1, 2])(
	"grey emoji are painted, letters and missing glyphs are not (detail %i)",
	async (detail) => {
		const shares = await ask("covered", [...GREY, ...NONE], detail);
		for (const share of shares.slice(0, GREY.length)) expect(share).toBeGreaterThan(0.15);
		expect(shares.slice(GREY.length)).toEqual(NONE.map(() => 0));
	},
);

slowTest(
	"a GPU that draws many pixels gets emoji in more detail, once, and a phone or a processor does not",
	async () => {
		const ratios = [0.75, 1, 1.5, 2, 1, 2];
		expect(await ask("edgesSent", ratios, 1000, false)).toEqual([1024, 2048]);
		expect(await ask("edgesSent", ratios, 390, false)).toEqual([1024]);
		expect(await ask("edgesSent", ratios, 1000, true)).toEqual([1024]);
	},
);
