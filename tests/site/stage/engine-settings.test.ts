import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { Stats } from "#engine";
import { readEngineSettings } from "../../../src/site/stage/engine-settings.ts";

beforeEach(() => vi.spyOn(console, "info").mockReturnValue());

afterEach(() => {
	vi.restoreAllMocks();
	document.body.replaceChildren();
});

const read = (asked: string) => readEngineSettings(new URLSearchParams(asked));

test("seed, tick, level and way are read up to their greatest value, that one included", () => {
	expect(read("seed=4294967295&tick=1000000000&level=100&way=flat")).toEqual({
		seed: 2 ** 32 - 1,
		tick: 1e9,
		level: 100,
		backend: "flat",
		onStats: undefined,
	});
	expect(read("seed=0&utm_source=x")).toMatchObject({ seed: 0, tick: undefined });
	expect(console.info).not.toHaveBeenCalled();
});

test.each([
	"seed=4294967296",
	"seed=-1",
	"tick=1000000001",
	"tick=1.5",
	"level=101",
	"level=",
	"way=magic",
])("?%s is named in the console and ignored", (asked) => {
	const settings = read(asked);
	expect(Object.values(settings).filter((value) => value !== undefined)).toEqual([]);
	expect(console.info).toHaveBeenCalledOnce();
	expect(vi.mocked(console.info).mock.lastCall?.[0]).toContain(`?${asked} is passed over`);
});

test("?engine=stats shows the stats as they come, and plots no more than the latest 240 frames", () => {
	const bars: number[] = [];
	const context = {
		fillStyle: "",
		clearRect: () => bars.splice(0),
		fillRect: (x: number) => context.fillStyle === "#ffffff" && bars.push(x),
	};
	vi.spyOn(HTMLCanvasElement.prototype, "getContext").mockReturnValue(context as never);
	const { onStats } = read("engine=stats");
	const stats: Stats = {
		backend: "worker",
		level: 8,
		pixelRatio: 2,
		tick: 123,
		dropped: 4,
		skipped: 5,
		drawCalls: 2,
		fingerprint: "0123456789abcdef",
		frameTimes: new Float32Array(100).fill(16),
	};
	for (let time = 0; time < 4; time++) onStats?.(stats);
	const overlay = document.querySelector("aside.stats-overlay");
	expect(overlay?.ariaHidden).toBe("true");
	for (const line of [
		"backend     worker",
		"level       8 (2.00 px)",
		"drawn       400",
		"skipped     5",
	]) {
		expect(overlay?.textContent).toContain(line);
	}
	expect(bars).toEqual(Array.from({ length: 240 }, (_, x) => x));
});
