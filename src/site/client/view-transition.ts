import { flushSync } from "react-dom";
import { isMoving, scene } from "../stage/scene.ts";

/**
 * Changes what is shown, and has the browser fade from the old page to the new one, or from the form to
 * the message. Without a fade where the browser knows none, or where nothing may move.
 * `styles/transitions.css` says what fades, by `data-fades`.
 */
export function withViewTransition(fades: "page" | "form", change: () => void): void {
	if (!("startViewTransition" in document) || !isMoving(scene.getState())) {
		change();
		return;
	}
	const { dataset } = document.documentElement;
	dataset.fades = fades;
	const transition = document.startViewTransition(() => flushSync(change));
	// A hidden tab, or the next move, skips the fade. The page has changed all the same.
	transition.ready.catch(() => {});
	// A move that began meanwhile is a page's, which fades without this as well.
	transition.finished.finally(() => delete dataset.fades).catch(() => {});
}
