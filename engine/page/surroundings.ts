import type { PageState } from "../messages.ts";

type Surroundings = Pick<PageState, "width" | "height" | "pixelRatio" | "seen">;

/**
 * The player cannot observe these: Chromium keeps a worker's frames running in a hidden tab, and
 * all browsers do for a canvas out of sight (measured). @returns a function that ends it
 */
export function watchSurroundings(
	element: Element,
	tell: (surroundings: Partial<Surroundings>) => void,
): () => void {
	const ended = new AbortController();
	const { signal } = ended;

	const size = new ResizeObserver(([entry]) => {
		if (entry) tell({ width: entry.contentRect.width, height: entry.contentRect.height });
	});
	size.observe(element);

	let within = false;
	const tellSeen = () => tell({ seen: within && document.visibilityState === "visible" });
	const sight = new IntersectionObserver((entries) => {
		within = entries.at(-1)?.isIntersecting ?? false;
		tellSeen();
	});
	sight.observe(element);
	document.addEventListener("visibilitychange", tellSeen, { signal });

	/** A media query only fires when its own ratio no longer matches. */
	function followPixelRatio(): void {
		const { devicePixelRatio } = window;
		tell({ pixelRatio: devicePixelRatio });
		matchMedia(`(resolution: ${devicePixelRatio}dppx)`).addEventListener(
			"change",
			followPixelRatio,
			{ once: true, signal },
		);
	}
	followPixelRatio();

	return () => {
		ended.abort();
		size.disconnect();
		sight.disconnect();
	};
}
