import { flushSync } from "react-dom";
import { isMoving, scene } from "../stage/scene.ts";

/**
 * Shows another page with a cross-fade (`styles/transitions.css`), or without one if motion is off
 * or the browser has no view transitions.
 */
export function withViewTransition(change: () => void): void {
	if (!("startViewTransition" in document) || !isMoving(scene.getState())) {
		change();
		return;
	}
	const transition = document.startViewTransition(() => flushSync(change));
	// Both promises reject if the browser skips the fade, as in a hidden tab. The page has changed anyway.
	transition.ready.catch(() => {});
	transition.finished.catch(() => {});
}
