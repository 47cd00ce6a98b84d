import { isMoving, scene } from "./scene.ts";

/** Where the visitor's choice is kept in her browser. */
const storageKey = "motion";

/**
 * Starts from the visitor's last choice, else from what her system asks for, and follows the system
 * until she chooses, here or in another tab (promises 48 and 49). The style sheet reads the outcome as
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
	// What she chooses in one tab is stored for all; the others hear of it by this event alone.
	addEventListener("storage", ({ key }) => key === storageKey && follow());
	follow();
}

/** Stops or resumes everything that moves, and remembers it for the next visit. */
export function setPaused(paused: boolean): void {
	scene.setState({ paused, still: false });
	try {
		localStorage.setItem(storageKey, paused ? "paused" : "playing");
	} catch {
		// A browser that refuses storage forgets the choice; it still obeys it now.
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
