import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { watchEnergy } from "../../../engine/page/energy.ts";

const MINUTE = 60_000;

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
	vi.useRealTimers();
	vi.unstubAllGlobals();
});

/** A page with an optional battery API. */
async function open(battery?: EventTarget & { charging: boolean }) {
	const page = new EventTarget();
	vi.stubGlobal("addEventListener", page.addEventListener.bind(page));
	vi.stubGlobal("navigator", battery ? { getBattery: () => Promise.resolve(battery) } : {});
	const told: boolean[] = [];
	const unwatch = watchEnergy(({ sparing }) => told.push(sparing));
	await vi.advanceTimersByTimeAsync(0);
	return { told, unwatch, sign: (name: string) => page.dispatchEvent(new Event(name)) };
}

const createBattery = (charging: boolean) => Object.assign(new EventTarget(), { charging });

test("saves power after two to three minutes without input, until the next input", async () => {
	const { told, sign } = await open();
	vi.advanceTimersByTime(2.9 * MINUTE);
	for (const name of ["pointermove", "pointerdown", "keydown", "wheel", "scroll"]) sign(name);
	vi.advanceTimersByTime(1.9 * MINUTE);
	expect(told).toEqual([]);
	vi.advanceTimersByTime(MINUTE);
	expect(told).toEqual([true]);
	sign("keydown");
	expect(told).toEqual([true, false]);
});

test("saves power on battery even with input", async () => {
	const battery = createBattery(false);
	const { told, sign } = await open(battery);
	expect(told).toEqual([true]);
	sign("pointermove");
	expect(told).toEqual([true]);
	battery.charging = true;
	battery.dispatchEvent(new Event("chargingchange"));
	expect(told).toEqual([true, false]);
});

test("removes all listeners at the end", async () => {
	const battery = createBattery(true);
	const { told, unwatch, sign } = await open(battery);
	unwatch();
	battery.charging = false;
	battery.dispatchEvent(new Event("chargingchange"));
	sign("keydown");
	expect(told).toEqual([false]);
	expect(vi.getTimerCount()).toBe(0);
});

test("falls back when `getBattery()` rejects", async () => {
	vi.stubGlobal("addEventListener", () => {});
	vi.stubGlobal("navigator", { getBattery: () => Promise.reject(new Error("forbidden")) });
	const unwatch = watchEnergy(() => expect.unreachable());
	await vi.advanceTimersByTimeAsync(0);
	unwatch();
});
