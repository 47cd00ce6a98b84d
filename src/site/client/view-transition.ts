import { flushSync } from "react-dom";
import { isMoving, scene } from "../stage/scene.ts";

/**
 * Shows another page with a cross-fade, or without one if the browser cannot or motion is off.
 * `styles/transitions.css` selects what fades.
 */
export function withViewTransition(change: () => void): void {
	if (!("startViewTransition" in document) || !isMoving(scene.getState())) {
		change();
		return;
	}
	const transition = document.startViewTransition(() => flushSync(change));
	// A hidden tab or the next navigation skips the fade; the page has changed anyway.
	transition.ready.catch(() => {});
	transition.finished.catch(() => {});
}
