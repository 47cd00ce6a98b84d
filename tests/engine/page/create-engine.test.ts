import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { createEngine, type EngineSettings } from "#engine";
import { THEME } from "../../../engine/default-theme.ts";
import type { PageMessage, PageState, WorkerMessage } from "../../../engine/messages.ts";

/* createEngine with fake workers. Nothing is drawn. */

class FakeWorker {
	static readonly all: FakeWorker[] = [];
	readonly heard: PageMessage[] = [];
	terminated = false;
	onmessage: ((event: { data: WorkerMessage }) => void) | null = null;
	onerror: ((event: Event) => void) | null = null;
	constructor() {
		FakeWorker.all.push(this);
	}
	postMessage(message: PageMessage) {
		// As in a browser, messages are copies.
		this.heard.push(JSON.parse(JSON.stringify(message)));
	}
	terminate() {
		this.terminated = true;
	}
	say(message: WorkerMessage) {
		this.onmessage?.({ data: message });
	}
	of<Kind extends PageMessage["kind"]>(kind: Kind) {
		return this.heard.filter((message) => message.kind === kind) as Extract<
			PageMessage,
			{ kind: Kind }
		>[];
	}
}

beforeEach(() => {
	vi.useFakeTimers();
	FakeWorker.all.length = 0;
	vi.stubGlobal("Worker", FakeWorker);
	vi.spyOn(console, "info").mockReturnValue();
	const observer = (entry: object) =>
		class {
			readonly callback: (entries: object[]) => void;
			constructor(callback: (entries: object[]) => void) {
				this.callback = callback;
			}
			observe() {
				this.callback([entry]);
			}
			disconnect() {}
		};
	vi.stubGlobal("ResizeObserver", observer({ contentRect: { width: 400, height: 300 } }));
	vi.stubGlobal("IntersectionObserver", observer({ isIntersecting: true }));
	Object.assign(HTMLCanvasElement.prototype, { transferControlToOffscreen: () => ({}) });
});

afterEach(() => {
	vi.useRealTimers();
	vi.unstubAllGlobals();
	vi.restoreAllMocks();
	document.body.replaceChildren();
});

/** An engine whose first backend, a worker, has just started. */
function open(settings: Partial<EngineSettings> = {}) {
	const shown: string[] = [];
	const engine = createEngine(document.body, {
		theme: THEME,
		onShown: (backend) => shown.push(backend),
		...settings,
	});
	engine.set({ scene: "drift" });
	const worker = FakeWorker.all[0]!;
	return { engine, shown, worker };
}

/** Opens an engine whose worker has proved that WebGL works. */
async function play(settings: Partial<EngineSettings> = {}) {
	const game = open(settings);
	game.worker.say({ kind: "proof", webgl: true });
	await vi.advanceTimersByTimeAsync(0);
	return game;
}

/** Opens an engine on the page's thread. Its WebGL context cannot draw. */
async function openPage() {
	let idle = () => {};
	vi.stubGlobal("requestIdleCallback", (callback: () => void) => {
		idle = callback;
	});
	const loseContext = vi.fn();
	const createBuffer = () => {
		throw new Error("No buffers.");
	};
	const gl = { createBuffer, getExtension: () => ({ loseContext }), getParameter: () => "a GPU" };
	const getContext = vi.fn(() => gl);
	vi.spyOn(HTMLCanvasElement.prototype, "getContext").mockImplementation(getContext as never);
	const { engine } = open({ backend: "page" });
	await vi.dynamicImportSettled();
	await vi.advanceTimersByTimeAsync(0);
	const becomeIdle = async () => {
		idle();
		await vi.advanceTimersByTimeAsync(0);
	};
	return { engine, getContext, loseContext, becomeIdle };
}

const canvases = () => document.querySelectorAll("canvas").length;
const lines = () => vi.mocked(console.info).mock.calls.map(([line]) => String(line));

test("a worker with WebGL receives the canvas, the settings and the pageState", async () => {
	const { worker, shown } = await play({ seed: 7, level: 3 });
	expect(worker.of("start")).toMatchObject([
		{
			settings: { backend: "worker", seed: 7, level: 3, from: 0, frozen: false, stats: false },
			pageState: { scene: "drift", seen: true, width: 400, height: 300 },
		},
	]);
	worker.say({ kind: "shown", shown: true });
	expect(shown).toEqual(["worker"]);
	expect(canvases()).toBe(1);
});

test("an embedding page may create the worker", async () => {
	const own = new FakeWorker();
	await play({ worker: () => own as unknown as Worker });
	expect(FakeWorker.all).toEqual([own]);
	expect(own.of("start")).toHaveLength(1);
});

test("page state is sent once, and only when it changes", async () => {
	const { engine, worker } = await play();
	engine.set({ scene: "drift", paused: false, quietZone: [1, 2, 3, 4] });
	engine.set({ scene: "drift", paused: true, quietZone: [1, 2, 3, 4] });
	engine.set({ paused: true });
	expect(worker.of("set").map(({ pageState }) => pageState)).toEqual([
		{ quietZone: [1, 2, 3, 4] },
		{ paused: true },
	]);
});

/** Returns a function that checks which state changes the worker receives by the next frame. */
function listenTo(worker: FakeWorker) {
	let heard = 0;
	return (...news: Partial<PageState>[]) => {
		vi.advanceTimersByTime(16);
		const all = worker.of("set").map(({ pageState }) => pageState);
		expect(all.slice(heard)).toEqual(news);
		heard = all.length;
	};
}

const leave = () => document.documentElement.dispatchEvent(new PointerEvent("pointerleave"));

test("the worker gets pointer events at most once a frame, and none while motion is off", async () => {
	const { engine, worker } = await play();
	const expectNews = listenTo(worker);
	const move = (clientX: number, pointerType = "mouse") =>
		dispatchEvent(new PointerEvent("pointermove", { clientX, clientY: 0, pointerType }));
	const tap = (on: Element) =>
		on.dispatchEvent(new PointerEvent("pointerdown", { isPrimary: true, bubbles: true }));
	const type = () => document.body.dispatchEvent(new Event("input", { bubbles: true }));

	for (let x = 0; x <= innerWidth; x++) move(x);
	expect(worker.of("set")).toEqual([]);
	expectNews({ pointerX: 1, pointerY: -1, pointing: true });
	move(innerWidth / 2, "touch");
	expectNews();
	leave();
	expectNews({ pointing: false });

	document.body.append(document.createElement("button"));
	tap(document.querySelector("button")!);
	expectNews();
	tap(document.body);
	type();
	type();
	expectNews({ taps: 1, keys: 2 });

	engine.set({ paused: true });
	move(0);
	tap(document.body);
	type();
	expectNews({ paused: true });

	engine.set({ paused: false });
	engine.destroy();
	move(9);
	expectNews({ paused: false });
});

test("a finger points while present, and its travel counts only while motion is on", async () => {
	const { engine, worker } = await play();
	const expectNews = listenTo(worker);
	const touch = (type: string, ...at: number[]) => {
		const touches = at.map((x) => ({ clientX: x * innerWidth, clientY: 0 }));
		const event = Object.assign(new Event(type, { cancelable: true }), { touches });
		dispatchEvent(event);
		expect(event.defaultPrevented).toBe(false);
	};

	touch("touchstart", 0.5);
	expectNews({ pointerY: -1, pointing: true });
	touch("touchmove", 0.6);
	touch("touchmove", 0.75);
	leave();
	expectNews({ pointerX: 0.5, turned: expect.closeTo(0.25) });
	touch("touchmove", 0.5, 0.9);
	expectNews({ pointing: false });
	touch("touchend", 0.9);
	expectNews({ pointerX: 0.8, pointing: true });
	touch("touchmove", 0.8);
	expectNews({ pointerX: 0.6, turned: expect.closeTo(0.15) });
	touch("touchcancel");
	expectNews({ pointing: false });

	engine.set({ paused: true });
	touch("touchstart", 0.1);
	touch("touchmove", 0.9);
	touch("touchend");
	expectNews({ paused: true });
	engine.set({ paused: false });
	touch("touchstart", 0.6);
	expectNews({ paused: false }, { pointerX: 0.2, pointing: true });
});

test("a seek during startup follows the start, and a seek before the first scene sets its first tick", async () => {
	const { engine, worker } = open({ backend: "worker" });
	engine.seek(600);
	worker.say({ kind: "proof", webgl: true });
	await vi.advanceTimersByTimeAsync(0);
	expect(worker.of("start")[0]?.settings.from).toBe(0);
	expect(worker.of("seek").map(({ tick }) => tick)).toEqual([600]);

	const early = createEngine(document.body, { theme: THEME });
	early.seek(700);
	early.set({ scene: "drift" });
	FakeWorker.all[1]?.say({ kind: "proof", webgl: true });
	expect(FakeWorker.all[1]?.of("start")[0]?.settings.from).toBe(700);
});

test("the page's thread asks for WebGL when idle, and releases it if drawing fails", async () => {
	const { becomeIdle, getContext, loseContext } = await openPage();
	expect(getContext).not.toHaveBeenCalled();
	await becomeIdle();
	expect(lines()).toEqual([`engine: "page" cannot draw, "none" is next. No buffers.`]);
	expect(loseContext).toHaveBeenCalledOnce();
});

test("an engine destroyed before the page is idle asks for no WebGL", async () => {
	const { engine, becomeIdle, getContext } = await openPage();
	engine.destroy();
	await becomeIdle();
	expect(getContext).not.toHaveBeenCalled();
});

describe("a worker", () => {
	const wait = (seconds: number) => vi.advanceTimersByTimeAsync(1000 * seconds);

	test("is given up after 15 s without proof of WebGL", async () => {
		const { worker } = open({ backend: "worker" });
		await wait(14.9);
		expect(worker.terminated).toBe(false);
		await wait(0.2);
		expect(worker.terminated).toBe(true);
		expect(lines()).toEqual([
			`engine: "worker" cannot draw, "none" is next. The worker did not start.`,
		]);
		expect(canvases()).toBe(0);
	});

	// A ping is sent two frames after each full second.
	test.each([
		["2 missed replies once it plays", true, 2.5, 3.5],
		["10 missed replies before", false, 10.5, 11.5],
	])("is given up after %s", async (_, shown, least, most) => {
		const { worker } = await play({ backend: "worker" });
		worker.say({ kind: "shown", shown });
		await wait(least);
		expect(worker.terminated).toBe(false);
		await wait(most - least);
		expect(worker.terminated).toBe(true);
	});

	test.each<[string, (second: number) => number, boolean, boolean]>([
		["has drawn more frames, is kept", (second) => second, true, false],
		["has drawn none, is given up", () => 7, true, true],
		["has none to draw, is kept", () => 7, false, false],
	])("whose reply says that it %s", async (_, frames, due, terminated) => {
		const { worker } = await play({ backend: "worker" });
		worker.say({ kind: "shown", shown: true });
		for (let second = 1; second <= 8; second++) {
			await wait(1);
			worker.say({ kind: "alive", frames: frames(second), due, tick: 0 });
		}
		expect(worker.terminated).toBe(terminated);
	});

	test("is pinged once a second while it draws", async () => {
		const { engine, worker } = await play();
		for (let second = 1; second <= 5; second++) {
			await wait(1);
			worker.say({ kind: "alive", frames: second, due: true, tick: 0 });
		}
		await wait(0.1);
		expect(worker.of("ping")).toHaveLength(5);
		engine.set({ paused: true });
		await wait(600);
		expect(worker.of("ping")).toHaveLength(5);
		expect(worker.terminated).toBe(false);
	});

	test("is replaced when it breaks, without a page error", async () => {
		const { worker, shown } = await play({ backend: "worker" });
		worker.say({ kind: "shown", shown: true });
		const event = Object.assign(new Event("error", { cancelable: true }), { message: "broken" });
		worker.onerror?.(event);
		await vi.advanceTimersByTimeAsync(0);
		expect(event.defaultPrevented).toBe(true);
		expect(worker.terminated).toBe(true);
		expect(shown).toEqual(["worker", "none"]);
		expect(lines()[0]).toContain("broken");
	});

	test("is not replaced after its player's final failure", async () => {
		const { worker, shown } = await play();
		worker.say({ kind: "shown", shown: true });
		worker.say({ kind: "failed", reason: "lost", final: true });
		await vi.advanceTimersByTimeAsync(5000);
		expect(shown).toEqual(["worker", "none"]);
		expect(lines()).toEqual([`engine: "worker" cannot draw, "none" is next. lost`]);
		expect(canvases()).toBe(0);
	});
});

test("destroying frees the worker's context, then the worker, and leaves no timer", async () => {
	const { engine, worker, shown } = await play();
	await vi.advanceTimersByTimeAsync(1500);
	engine.destroy();
	expect(canvases()).toBe(0);
	expect(worker.of("destroy")).toHaveLength(1);
	expect(worker.terminated).toBe(false);
	await vi.advanceTimersByTimeAsync(1000);
	expect(worker.terminated).toBe(true);
	expect(vi.getTimerCount()).toBe(0);
	worker.say({ kind: "shown", shown: true });
	expect(shown).toEqual([]);
});
