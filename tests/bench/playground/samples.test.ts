import { expect, test } from "vitest";
import { DEFAULTS } from "../../../bench/playground/address.ts";
import {
	createSampler,
	createSamples,
	quantile,
} from "../../../bench/playground/panels/samples.ts";
import { createPlayground, type PlaygroundState } from "../../../bench/playground/state.ts";

const report = (tick: number, ...frameTimes: number[]) => ({
	...({
		backend: "flat",
		level: 2,
		pixelRatio: 1,
		tick,
		dropped: 0,
		skipped: 0,
		drawCalls: 2,
	} as const),
	fingerprint: "",
	frameTimes: Float32Array.from(frameTimes),
});

test("a rest is not a frame time, whenever the picture at rest was last drawn", () => {
	const samples = createSamples();
	const sample = createSampler(samples);
	const playground = createPlayground(DEFAULTS);
	playground.subscribe((state) => void sample(state, 0));
	const tell = (state: Partial<PlaygroundState>) => playground.setState(state);
	tell({ stats: report(0) });
	tell({ stats: report(0, 9000) });
	tell({ playing: true });
	tell({ stats: report(1, 3000) });
	tell({ stats: report(3, 16, 17) });
	tell({ playing: false });
	tell({ stats: report(3, 5) });
	tell({ playing: true });
	tell({ stats: report(4, 8000, 18) });
	expect(samples.frames[1]).toEqual([16, 17, 18]);
});

test("a quantile is the least value that its share does not exceed", () => {
	const values = Array.from({ length: 20 }, (_, i) => 20 - i);
	expect([0.5, 0.95, 1].map((share) => quantile(values, share))).toEqual([10, 19, 20]);
	expect(quantile([7], 0.95)).toBe(7);
	expect(quantile([], 0.5)).toBeNaN();
});
