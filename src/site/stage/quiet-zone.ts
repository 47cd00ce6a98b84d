import { scene } from "./scene.ts";

/** Where elements are in the window: x, y, width, height of each, in whole CSS px. */
export const placesOf = (elements: Iterable<Element>): number[] =>
	[...elements].flatMap((element) => {
		const { x, y, width, height } = element.getBoundingClientRect();
		return [x, y, width, height].map(Math.round);
	});

/**
 * Keeps the store's quiet zone where the words are: on the blocks marked `data-quiet`, as they grow,
 * shrink or are scrolled. Called when another page has been shown.
 * @returns the function that ends it
 */
export function watchQuietZone(): () => void {
	const blocks = [...document.querySelectorAll("[data-quiet]")];
	const measure = () => {
		const quietZone = placesOf(blocks);
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
