import { isMoving, scene } from "./scene.ts";

const storageKey = "motion";

/**
 * Follows the system's preference until the visitor chooses, here or in another tab. Style sheets
 * read the result as `data-motion`.
 */
export function followMotionPreference(): void {
	const reduced = matchMedia("(prefers-reduced-motion: reduce)");
	const follow = () => {
		const choice = remembered();
		scene.setState({ paused: choice === "paused", still: reduced.matches && !choice });
	};
	scene.subscribe((state) => {
		document.documentElement.dataset.motion = isMoving(state) ? "playing" : "paused";
	});
	reduced.addEventListener("change", follow);
	// Other tabs get this event when the visitor chooses.
	addEventListener("storage", ({ key }) => key === storageKey && follow());
	follow();
}

export function setMotionPaused(paused: boolean): void {
	scene.setState({ paused, still: false });
	try {
		localStorage.setItem(storageKey, paused ? "paused" : "playing");
	} catch {
		// Without storage the choice only lasts for this visit.
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
