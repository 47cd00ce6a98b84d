import { afterEach, expect, test, vi } from "vitest";
import { watchQuietZone } from "../../../src/site/stage/quiet-zone.ts";
import { scene } from "../../../src/site/stage/scene.ts";

afterEach(() => vi.unstubAllGlobals());

test("the quiet zone follows the words in whole px as they resize and scroll", () => {
	let grow = () => {};
	const observed: Element[] = [];
	vi.stubGlobal(
		"ResizeObserver",
		class {
			constructor(callback: () => void) {
				grow = callback;
			}
			observe(block: Element) {
				observed.push(block);
			}
			disconnect() {
				observed.length = 0;
			}
		},
	);
	document.body.innerHTML = "<p data-quiet></p><p></p><p data-quiet></p>";
	const blocks = [...document.querySelectorAll("[data-quiet]")];
	let y = 0.4;
	for (const block of blocks) {
		block.getBoundingClientRect = () => ({ x: 1.6, y, width: 100.2, height: 20 }) as DOMRect;
	}
	const states: (readonly number[])[] = [];
	const ignore = scene.subscribe(({ quietZone }) => states.push(quietZone));

	const unwatch = watchQuietZone();
	expect(observed).toEqual([document.documentElement, ...blocks]);
	grow();
	expect(states).toEqual([[2, 0, 100, 20, 2, 0, 100, 20]]);
	y = 0.3;
	grow();
	expect(states).toHaveLength(1);
	y = -50;
	dispatchEvent(new Event("scroll"));
	expect(states.at(-1)).toEqual([2, -50, 100, 20, 2, -50, 100, 20]);

	unwatch();
	y = -90;
	dispatchEvent(new Event("scroll"));
	expect(states).toHaveLength(2);
	expect(observed).toEqual([]);
	ignore();
});
