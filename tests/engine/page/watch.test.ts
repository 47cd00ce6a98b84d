import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createWatch } from "../../../engine/page/watch.ts";

beforeEach(() => {
	vi.useFakeTimers();
	vi.stubGlobal("requestAnimationFrame", (callback: FrameRequestCallback) =>
		setTimeout(() => callback(Date.now()), 16),
	);
	vi.stubGlobal("cancelAnimationFrame", clearTimeout);
});

afterEach(() => {
	vi.useRealTimers();
	vi.unstubAllGlobals();
});

function start() {
	const periods: number[] = [];
	const handleSilence = vi.fn();
	const watch = createWatch((period) => periods.push(period), handleSilence);
	return { watch, periods, handleSilence };
}

function secondsOfSilence(started: boolean): number {
	const { watch, handleSilence } = start();
	watch.setStarted(started);
	watch.setDue(true);
	let seconds = 0;
	while (handleSilence.mock.calls.length === 0 && seconds < 60) {
		vi.advanceTimersByTime(1000);
		seconds++;
	}
	vi.advanceTimersByTime(20_000);
	expect(handleSilence).toHaveBeenCalledOnce();
	return seconds;
}

test("a playing worker is given up after two missed replies, a starting one after ten", () => {
	// Pings are sent once per second, two frames late.
	expect([2, 3, 4]).toContain(secondsOfSilence(true));
	expect([10, 11, 12]).toContain(secondsOfSilence(false));
});

test("pings once a second while frames are due, with the display's period", () => {
	const { watch, periods } = start();
	watch.setDue(true);
	watch.setDue(true);
	for (let second = 1; second <= 5; second++) {
		vi.advanceTimersByTime(1000);
		watch.heard(second, true);
	}
	vi.advanceTimersByTime(100);
	expect(periods).toHaveLength(5);
	for (const period of periods) expect(period).toBe(16);
	watch.setDue(false);
	vi.advanceTimersByTime(10_000);
	expect(periods).toHaveLength(5);
	watch.setDue(true);
	watch.destroy();
	vi.advanceTimersByTime(10_000);
	expect(periods).toHaveLength(5);
	expect(vi.getTimerCount()).toBe(0);
});

test.each<[string, (second: number) => [number, boolean], number]>([
	["with more frames counts", (second: number) => [second, true], 0],
	["without more frames does not count", () => [7, true], 1],
	["that no frame is due counts", () => [7, false], 0],
])("a reply %s", (_, answer, silences) => {
	const { watch, handleSilence } = start();
	watch.setStarted(true);
	watch.setDue(true);
	for (let second = 1; second <= 8; second++) {
		vi.advanceTimersByTime(1000);
		watch.heard(...answer(second));
	}
	expect(handleSilence).toHaveBeenCalledTimes(silences);
});
