/** @module-tag nodes */
import { afterEach, beforeEach, expect, test, vi } from "vitest";

/** The system's motion preference, which may change. */
let system: EventTarget & { matches: boolean };

beforeEach(() => {
	vi.resetModules();
	localStorage.clear();
	system = Object.assign(new EventTarget(), { matches: false });
	vi.stubGlobal("matchMedia", (query: string) => {
		expect(query).toBe("(prefers-reduced-motion: reduce)");
		return system;
	});
});

afterEach(() => {
	vi.restoreAllMocks();
	vi.unstubAllGlobals();
});

async function open(reduced = false) {
	system.matches = reduced;
	const { setPaused, followMotionPreference } = await import("../../../src/site/stage/motion.ts");
	const { scene } = await import("../../../src/site/stage/scene.ts");
	followMotionPreference();
	return { setPaused, state: () => document.documentElement.dataset.motion, scene };
}

function setSystem(reduced: boolean): void {
	system.matches = reduced;
	system.dispatchEvent(new Event("change"));
}

test("a page follows the system until the visitor chooses, and the choice is remembered", async () => {
	const { state, setPaused, scene } = await open(true);
	expect(state()).toBe("paused");
	expect(scene.getState()).toMatchObject({ paused: false, still: true });
	setSystem(false);
	expect(state()).toBe("playing");
	setSystem(true);
	setPaused(false);
	expect(state()).toBe("playing");
	expect(localStorage.getItem("motion")).toBe("playing");
	setSystem(true);
	expect(state()).toBe("playing");
	setPaused(true);
	expect(localStorage.getItem("motion")).toBe("paused");
});

test.each([
	["playing", true, { paused: false, still: false }],
	["paused", false, { paused: true, still: false }],
	["nonsense", true, { paused: false, still: true }],
])(
	"a visit after the choice %s starts with it (less motion: %s)",
	async (choice, reduced, begun) => {
		localStorage.setItem("motion", choice);
		const { scene } = await open(reduced);
		expect(scene.getState()).toMatchObject(begun);
	},
);

// Last, because happy-dom does not restore its storage.
test("the page plays and can be paused without storage", async () => {
	for (const method of ["getItem", "setItem"] as const) {
		vi.spyOn(Storage.prototype, method).mockImplementation(() => {
			throw new DOMException("refused", "SecurityError");
		});
	}
	const { state, setPaused } = await open();
	expect(state()).toBe("playing");
	setPaused(true);
	expect(state()).toBe("paused");
});
