import { createStore } from "zustand/vanilla";

export type SceneName = "drift" | "fireworks" | "none";

/** What only the page knows and the engine is told: the one thing they share. */
export interface Scene {
	/** What plays: the route decides. */
	name: SceneName;
	/** The visitor pressed pause, now or on an earlier visit, or asks for reduced motion. */
	paused: boolean;
}

/** Read by components through `useStore`, by the engine through `subscribe`. */
export const scene = createStore<Scene>()(() => ({ name: "none", paused: false }));

const storageKey = "motion";

/**
 * Starts from the visitor's last choice, else from what her system asks for, and follows the system
 * until she chooses (PRODUCT, "Motion"). The style sheet reads the outcome as `data-motion`.
 */
export function startMotion(): void {
	const reduced = matchMedia("(prefers-reduced-motion: reduce)");
	const follow = () => scene.setState({ paused: remembered() ?? reduced.matches });
	scene.subscribe(({ paused }) => {
		document.documentElement.dataset.motion = paused ? "paused" : "playing";
	});
	reduced.addEventListener("change", follow);
	follow();
}

/** Stops or resumes everything that moves, and remembers it for the next visit. */
export function setPaused(paused: boolean): void {
	scene.setState({ paused });
	try {
		localStorage.setItem(storageKey, paused ? "paused" : "playing");
	} catch {
		// A browser that refuses storage forgets the choice; it still obeys it now.
	}
}

function remembered(): boolean | undefined {
	try {
		const choice = localStorage.getItem(storageKey);
		return choice === "paused" ? true : choice === "playing" ? false : undefined;
	} catch {
		return undefined;
	}
}
