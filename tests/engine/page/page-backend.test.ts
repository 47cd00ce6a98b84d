import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { THEME } from "../../../engine/default-theme.ts";
import type { PlayerSettings } from "../../../engine/messages.ts";
import { pageBackend } from "../../../engine/page/page-backend.ts";
import { pageState } from "../player/player-by-hand.ts";

const settings: PlayerSettings = {
	backend: "page",
	theme: THEME,
	seed: 1,
	stats: false,
	device: {},
};
const silent = { shown() {}, stats() {}, failed() {} };

let idle: (() => void) | undefined;

beforeEach(() => {
	idle = undefined;
	vi.stubGlobal("requestIdleCallback", (callback: () => void) => {
		idle = callback;
		return 1;
	});
});

afterEach(() => vi.unstubAllGlobals());

/** Starts the backend on a canvas whose WebGL cannot draw. */
function start(signal: AbortSignal) {
	const loseContext = vi.fn();
	const canvas = document.createElement("canvas");
	const createBuffer = () => {
		throw new Error("This WebGL cannot draw.");
	};
	const getExtension = () => ({ loseContext });
	const getParameter = () => "a GPU";
	const getContext = vi.fn(() => ({ createBuffer, getExtension, getParameter }));
	Object.assign(canvas, { getContext });
	const started = pageBackend(canvas, settings, pageState, silent, signal).then(
		() => "plays",
		(error: Error) => error.message,
	);
	return { started, getContext, loseContext };
}

test("WebGL is requested when the page is idle, and released if the player cannot be created", async () => {
	const { started, getContext, loseContext } = start(new AbortController().signal);
	await expect.poll(() => idle).toBeDefined();
	expect(getContext).not.toHaveBeenCalled();
	idle?.();
	expect(await started).toBe("This WebGL cannot draw.");
	expect(loseContext).toHaveBeenCalledOnce();
});

test("an engine destroyed before the page is idle requests no WebGL", async () => {
	const ended = new AbortController();
	const { started, getContext } = start(ended.signal);
	await expect.poll(() => idle).toBeDefined();
	ended.abort();
	idle?.();
	expect(await started).toContain("abort");
	expect(getContext).not.toHaveBeenCalled();
});
