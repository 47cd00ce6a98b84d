import { flushSync } from "react-dom";
import { isMoving, scene } from "../stage/scene.ts";

/**
 * Shows another page, and has the browser fade to it from the old one. Without a fade where the browser
 * knows none, or where nothing may move. `styles/transitions.css` says what fades.
 */
export function withViewTransition(change: () => void): void {
	if (!("startViewTransition" in document) || !isMoving(scene.getState())) {
		change();
		return;
	}
	const transition = document.startViewTransition(() => flushSync(change));
	// A hidden tab, or the next move, skips the fade. The page has changed all the same.
	transition.ready.catch(() => {});
	transition.finished.catch(() => {});
}
