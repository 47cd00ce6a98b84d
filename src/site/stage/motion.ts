import { isMoving, scene } from "./scene.ts";

/** The key under which the browser keeps the visitor's choice. */
const storageKey = "motion";

/**
 * Starts from the visitor's last choice, else from what their system asks for. Follows the system
 * until the visitor chooses, here or in another tab (promises 48 and 49). The style sheet reads the outcome as
 * `data-motion`.
 */
export function startMotion(): void {
	const reduced = matchMedia("(prefers-reduced-motion: reduce)");
	const follow = () => {
		const choice = remembered();
		scene.setState({ paused: choice === "paused", still: reduced.matches && !choice });
	};
	scene.subscribe((state) => {
		document.documentElement.dataset.motion = isMoving(state) ? "playing" : "paused";
	});
	reduced.addEventListener("change", follow);
	// A choice in one tab is stored for all; the other tabs hear of it by this event alone.
	addEventListener("storage", ({ key }) => key === storageKey && follow());
	follow();
}

/** Stops or resumes everything that moves, and remembers it for the next visit. */
export function setPaused(paused: boolean): void {
	scene.setState({ paused, still: false });
	try {
		localStorage.setItem(storageKey, paused ? "paused" : "playing");
	} catch {
		// A browser that refuses storage obeys the choice now and forgets it later.
	}
}

function remembered(): "paused" | "playing" | undefined {
	try {
		const choice = localStorage.getItem(storageKey);
		return choice === "paused" || choice === "playing" ? choice : undefined;
	} catch {
		return undefined;
	}
}
