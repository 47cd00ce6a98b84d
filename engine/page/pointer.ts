import { INITIAL_PAGE_STATE, type PageState } from "../messages.ts";

type Pointer = Pick<PageState, "pointerX" | "pointerY" | "pointing" | "turned" | "taps" | "keys">;

const CONTROLS = "a, button, input, label, select, textarea";

/**
 * Reports the pointer at most once per frame. Fingers use touch events, because a finger that
 * scrolls sends no more pointer events.
 * @returns a function that stops watching
 */
export function watchPointer(
	isFollowed: () => boolean,
	tell: (pointer: Readonly<Pointer>) => void,
): () => void {
	const ended = new AbortController();
	const options = { passive: true, signal: ended.signal };
	const { pointerX, pointerY, pointing, turned, taps, keys } = INITIAL_PAGE_STATE;
	const pointer: Pointer = { pointerX, pointerY, pointing, turned, taps, keys };
	let request = 0;
	let fingerX: number | undefined;

	function note(news: Partial<Pointer>): void {
		Object.assign(pointer, news);
		request ||= requestAnimationFrame(() => {
			request = 0;
			if (isFollowed()) tell(pointer);
		});
	}

	function point({ clientX, clientY }: PointerEvent | Touch): void {
		const [pointerX, pointerY] = [
			fromCenter(clientX / innerWidth),
			fromCenter(clientY / innerHeight),
		];
		note({ pointerX, pointerY, pointing: true });
	}

	function followFinger({ touches }: TouchEvent): void {
		const finger = touches.length === 1 ? touches[0] : undefined;
		if (finger && fingerX !== undefined && isFollowed()) {
			pointer.turned += (finger.clientX - fingerX) / innerWidth;
		}
		fingerX = finger?.clientX;
		if (finger) point(finger);
		else note({ pointing: false });
	}

	addEventListener(
		"pointermove",
		(event) => {
			if (event.pointerType === "mouse") point(event);
		},
		options,
	);
	// Without this, the parallax would stay where the mouse left the window.
	document.documentElement.addEventListener(
		"pointerleave",
		() => {
			// A finger that starts to scroll also causes this event, but still touches the screen.
			if (fingerX === undefined) note({ pointing: false });
		},
		options,
	);
	for (const type of ["touchstart", "touchmove", "touchend", "touchcancel"] as const) {
		addEventListener(type, followFinger, options);
	}
	addEventListener(
		"pointerdown",
		({ isPrimary, target }) => {
			if (isPrimary && !(target as Element | null)?.closest?.(CONTROLS)) {
				note({ taps: pointer.taps + 1 });
			}
		},
		options,
	);
	addEventListener("input", () => note({ keys: pointer.keys + 1 }), options);
	return () => {
		ended.abort();
		cancelAnimationFrame(request);
	};
}

/** Maps 0 to 1 onto -1 to 1. Rounded, so that tiny movements count as none. */
const fromCenter = (of: number) => Math.round(Math.max(-1, Math.min(1, 2 * of - 1)) * 100) / 100;
