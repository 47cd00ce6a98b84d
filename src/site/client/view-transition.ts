import { flushSync } from "react-dom";
import { isMoving, scene } from "../stage/scene.ts";

/**
 * Changes what is shown, and lets the browser fade from the old page to the new one where it can and
 * things may move. What fades and what plays on is said in `styles/transitions.css`.
 */
export function fadeOver(change: () => void): void {
	if (!("startViewTransition" in document) || !isMoving(scene.getState())) {
		change();
		return;
	}
	const fade = document.startViewTransition(() => flushSync(change));
	// A hidden tab, or the next move, skips the fade. The page has changed all the same.
	fade.ready.catch(() => {});
}
