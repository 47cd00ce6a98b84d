import { afterEach, expect, test, vi } from "vitest";
import { watchSurroundings } from "../../../engine/page/surroundings.ts";

afterEach(() => vi.unstubAllGlobals());

/** A page with scripted changes of element, tab and display. Counts active listeners. */
function openPage() {
	const watched = new Set<string>();
	const queries: EventTarget[] = [];
	let resize: (entries: object[]) => void = () => {};
	let cross: (entries: object[]) => void = () => {};
	const observer = (name: string, keep: (callback: (entries: object[]) => void) => void) =>
		class {
			constructor(callback: (entries: object[]) => void) {
				keep(callback);
			}
			observe() {
				watched.add(name);
			}
			disconnect() {
				watched.delete(name);
			}
		};
	const page = Object.assign(new EventTarget(), { visibilityState: "visible" });
	vi.stubGlobal("document", page);
	vi.stubGlobal("window", { devicePixelRatio: 1 });
	vi.stubGlobal(
		"ResizeObserver",
		observer("size", (callback) => {
			resize = callback;
		}),
	);
	vi.stubGlobal(
		"IntersectionObserver",
		observer("sight", (callback) => {
			cross = callback;
		}),
	);
	vi.stubGlobal("matchMedia", (query: string) => {
		expect(query).toBe(`(resolution: ${window.devicePixelRatio}dppx)`);
		queries.push(new EventTarget());
		return queries.at(-1);
	});
	const received: object[] = [];
	const unwatch = watchSurroundings({} as Element, (surroundings) => received.push(surroundings));
	return {
		received,
		watched,
		unwatch,
		resize: (width: number, height: number) => resize([{ contentRect: { width, height } }]),
		cross: (...within: boolean[]) => cross(within.map((isIntersecting) => ({ isIntersecting }))),
		setVisibility(visibilityState: string) {
			page.visibilityState = visibilityState;
			page.dispatchEvent(new Event("visibilitychange"));
		},
		setPixelRatio(devicePixelRatio: number) {
			Object.assign(window, { devicePixelRatio });
			for (const query of [...queries]) query.dispatchEvent(new Event("change"));
		},
	};
}

test("an element is seen while inside a visible window", () => {
	const { received, cross, setVisibility } = openPage();
	received.length = 0;
	cross(true);
	setVisibility("hidden");
	cross(false, true);
	setVisibility("visible");
	cross(true, false);
	setVisibility("visible");
	expect(received.map((words) => ("seen" in words ? words.seen : undefined))).toEqual([
		...[true, false, false, true, false, false],
	]);
});

test("each change of size and pixel ratio is reported once", () => {
	const { received, resize, setPixelRatio } = openPage();
	resize(400, 300);
	for (const ratio of [2, 1.25, 1]) setPixelRatio(ratio);
	expect(received).toEqual([
		{ pixelRatio: 1 },
		{ width: 400, height: 300 },
		...[{ pixelRatio: 2 }, { pixelRatio: 1.25 }, { pixelRatio: 1 }],
	]);
});

test("nothing is reported or observed after the end", () => {
	const { received, watched, unwatch, setPixelRatio, setVisibility } = openPage();
	expect([...watched]).toEqual(["size", "sight"]);
	unwatch();
	expect([...watched]).toEqual([]);
	received.length = 0;
	setPixelRatio(2);
	setVisibility("hidden");
	expect(received).toEqual([]);
});
