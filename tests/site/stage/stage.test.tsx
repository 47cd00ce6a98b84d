import { cleanup, render } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { EngineSettings } from "#engine";
import { requestSalute, scene } from "../../../src/site/stage/scene.ts";
import { Stage } from "../../../src/site/stage/stage.tsx";
import { whenShownAndIdle } from "../../../src/site/stage/when-shown-and-idle.ts";

const engine = vi.hoisted(() => ({
	created: [] as EngineSettings[],
	set: vi.fn(),
	destroy: vi.fn(),
}));
vi.mock("#engine", () => ({
	createEngine(_: HTMLElement, settings: EngineSettings) {
		engine.created.push(settings);
		return engine;
	},
}));

let idle: (() => void) | undefined;

beforeEach(() => {
	engine.created.length = 0;
	vi.clearAllMocks();
	idle = undefined;
	vi.stubGlobal("requestIdleCallback", (callback: () => void) => {
		idle = callback;
		return 1;
	});
	vi.stubGlobal("cancelIdleCallback", () => {
		idle = undefined;
	});
});

afterEach(() => {
	cleanup();
	vi.unstubAllGlobals();
	Object.assign(document, { prerendering: undefined });
});

const arrive = () => vi.dynamicImportSettled();

const backend = () => document.querySelector<HTMLElement>(".stage")?.dataset.backend;

describe("the stage", () => {
	test("starts the engine when the page is idle, and forwards the store to it", async () => {
		const { container, unmount } = render(<Stage sky="morning" />);
		await arrive();
		expect(engine.created).toHaveLength(0);
		idle?.();
		await expect.poll(() => engine.set).toHaveBeenCalledOnce();
		expect(engine.set.mock.lastCall?.[0]).toBe(scene.getState());
		const { salutes } = scene.getState();
		requestSalute();
		requestSalute();
		expect(engine.set.mock.lastCall?.[0]).toMatchObject({ salutes: salutes + 2 });

		engine.created[0]?.onShown?.("worker");
		expect(backend()).toBe("worker");
		const stage = container.querySelector<HTMLElement>(".stage")!;
		unmount();
		expect(engine.destroy).toHaveBeenCalledOnce();
		expect(stage.dataset.backend).toBeUndefined();
		engine.set.mockClear();
		requestSalute();
		expect(engine.set).not.toHaveBeenCalled();
	});

	test("starts no engine if the visitor leaves before it arrives", async () => {
		const { unmount } = render(<Stage sky="morning" />);
		idle?.();
		unmount();
		await arrive();
		expect(engine.created).toHaveLength(0);
		render(<Stage sky="morning" />).unmount();
		expect(idle).toBeUndefined();
	});

	test.each([
		["by the browser's switch", { saveData: true }, false],
		["by the system's setting", undefined, true],
	])("starts no engine with data saver on, %s", async (_, connection, reduced) => {
		vi.stubGlobal("navigator", { connection });
		vi.stubGlobal("matchMedia", (query: string) => ({
			matches: reduced && query === "(prefers-reduced-data: reduce)",
		}));
		render(<Stage sky="morning" />);
		expect(idle).toBeUndefined();
		vi.stubGlobal("navigator", { connection: { saveData: false } });
		vi.stubGlobal("matchMedia", () => ({ matches: false }));
		render(<Stage sky="morning" />);
		expect(idle).toBeDefined();
	});
});

test("whenShownAndIdle waits until a prerendered page is opened, and never calls back once canceled", () => {
	Object.assign(document, { prerendering: true });
	const callback = vi.fn();
	const cancel = whenShownAndIdle(callback);
	expect(idle).toBeUndefined();
	document.dispatchEvent(new Event("prerenderingchange"));
	expect(idle).toBe(callback);
	cancel();
	expect(idle).toBeUndefined();

	whenShownAndIdle(callback)();
	document.dispatchEvent(new Event("prerenderingchange"));
	expect(idle).toBeUndefined();
});
