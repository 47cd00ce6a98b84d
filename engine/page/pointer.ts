import type { Facts } from "../messages.ts";

type Pointer = Pick<Facts, "pointerX" | "pointerY" | "taps">;

/** What a tap is meant for, rather than for the picture behind it. */
const CONTROLS = "a, button, input, label, select, textarea";

/**
 * Tells where the mouse points and how often the visitor has tapped beside the controls: at most once
 * a frame, however fast the mouse reports. A finger points at nothing between taps.
 * @returns the function that ends it
 */
export function watchPointer(tell: (pointer: Partial<Pointer>) => void): () => void {
	const ended = new AbortController();
	const options = { passive: true, signal: ended.signal };
	let request = 0;
	let next: Pick<Pointer, "pointerX" | "pointerY">;
	let taps = 0;

	function point(x: number, y: number): void {
		next = { pointerX: share(x), pointerY: share(y) };
		request ||= requestAnimationFrame(() => {
			request = 0;
			tell(next);
		});
	}

	addEventListener(
		"pointermove",
		({ pointerType, clientX, clientY }) => {
			if (pointerType !== "mouse") return;
			point((2 * clientX) / innerWidth - 1, (2 * clientY) / innerHeight - 1);
		},
		options,
	);
	// Without it the picture would lean to the edge where the mouse has left the window.
	document.documentElement.addEventListener("pointerleave", () => point(0, 0), options);
	addEventListener(
		"pointerdown",
		({ isPrimary, target }) => {
			if (isPrimary && !(target as Element | null)?.closest?.(CONTROLS)) tell({ taps: ++taps });
		},
		options,
	);
	return () => {
		ended.abort();
		cancelAnimationFrame(request);
	};
}

/** In hundredths, from -1 to 1. */
const share = (value: number) => Math.round(Math.max(-1, Math.min(1, value)) * 100) / 100;
