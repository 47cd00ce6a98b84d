/** @module-tag nodes */
import { afterEach, expect, test, vi } from "vitest";

afterEach(() => {
	vi.restoreAllMocks();
	vi.unstubAllGlobals();
});

test("the page plays and can be paused without storage", async () => {
	for (const method of ["getItem", "setItem"] as const) {
		vi.spyOn(Storage.prototype, method).mockImplementation(() => {
			throw new DOMException("refused", "SecurityError");
		});
	}
	vi.stubGlobal("matchMedia", () => Object.assign(new EventTarget(), { matches: false }));
	vi.resetModules();
	const { followMotionPreference, setMotionPaused } = await import(
		"../../../src/site/stage/motion.ts"
	);
	followMotionPreference();
	const state = () => document.documentElement.dataset.motion;
	expect(state()).toBe("playing");
	setMotionPaused(true);
	expect(state()).toBe("paused");
});
