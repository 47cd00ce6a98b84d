import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { watchPowerSaving } from "../../../engine/page/power.ts";

const MINUTE = 60_000;

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
	vi.useRealTimers();
	vi.unstubAllGlobals();
});

async function open(battery?: EventTarget & { charging: boolean }) {
	const page = new EventTarget();
	vi.stubGlobal("addEventListener", page.addEventListener.bind(page));
	vi.stubGlobal("navigator", battery ? { getBattery: () => Promise.resolve(battery) } : {});
	const received: boolean[] = [];
	watchPowerSaving(({ sparing }) => received.push(sparing));
	await vi.advanceTimersByTimeAsync(0);
	return { received, sign: (name: string) => page.dispatchEvent(new Event(name)) };
}

test("saves power after two to three minutes without input, until the next input", async () => {
	const { received, sign } = await open();
	vi.advanceTimersByTime(2.9 * MINUTE);
	for (const name of ["pointermove", "pointerdown", "keydown", "wheel", "scroll"]) sign(name);
	vi.advanceTimersByTime(1.9 * MINUTE);
	expect(received).toEqual([]);
	vi.advanceTimersByTime(MINUTE);
	expect(received).toEqual([true]);
	sign("keydown");
	expect(received).toEqual([true, false]);
});

test("saves power on battery even with input", async () => {
	const battery = Object.assign(new EventTarget(), { charging: false });
	const { received, sign } = await open(battery);
	expect(received).toEqual([true]);
	sign("pointermove");
	expect(received).toEqual([true]);
	battery.charging = true;
	battery.dispatchEvent(new Event("chargingchange"));
	expect(received).toEqual([true, false]);
});

test("falls back when `getBattery()` rejects", async () => {
	vi.stubGlobal("addEventListener", () => {});
	vi.stubGlobal("navigator", { getBattery: () => Promise.reject(new Error("forbidden")) });
	watchPowerSaving(() => expect.unreachable());
	await vi.advanceTimersByTimeAsync(0);
});
