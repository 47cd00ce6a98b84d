// @vitest-environment happy-dom

import { afterEach, expect, test, vi } from "vitest";
import { setPaused, startMotion } from "../../src/site/stage/motion.ts";

afterEach(() => vi.restoreAllMocks());

test("the page plays and can be paused in a browser that refuses storage", () => {
	for (const method of ["getItem", "setItem"] as const)
		vi.spyOn(Storage.prototype, method).mockImplementation(() => {
			throw new DOMException("refused", "SecurityError");
		});
	const { dataset } = document.documentElement;
	startMotion();
	expect(dataset.motion).toBe("playing");
	setPaused(true);
	expect(dataset.motion).toBe("paused");
});
