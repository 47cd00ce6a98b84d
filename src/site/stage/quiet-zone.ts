import { scene } from "./scene.ts";

/** x, y, width, height of each element, from the window's corner, in whole CSS px. */
export const measureRectangles = (elements: Iterable<Element>): number[] =>
	[...elements].flatMap((element) => {
		const { x, y, width, height } = element.getBoundingClientRect();
		return [x, y, width, height].map(Math.round);
	});

/**
 * Keeps the store's quiet zone in sync with the blocks marked `data-quiet` as they resize or
 * scroll. Called after each page change.
 * @returns a function that stops watching
 */
export function watchQuietZone(): () => void {
	const blocks = [...document.querySelectorAll("[data-quiet]")];
	const measure = () => {
		const quietZone = measureRectangles(blocks);
		const before = scene.getState().quietZone;
		if (quietZone.join() !== before.join()) scene.setState({ quietZone });
	};
	const sizes = new ResizeObserver(measure);
	for (const block of [document.documentElement, ...blocks]) sizes.observe(block);
	addEventListener("scroll", measure, { passive: true });
	return () => {
		sizes.disconnect();
		removeEventListener("scroll", measure);
	};
}
