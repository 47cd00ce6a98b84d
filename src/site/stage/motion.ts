import { isMoving, scene } from "./scene.ts";

const storageKey = "motion";

/**
 * Starts from the visitor's last choice, else from the system's preference. Follows the system
 * until the visitor chooses, here or in another tab. Style sheets read the result as `data-motion`.
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
	// A choice in one tab is stored for all; other tabs only get this event.
	addEventListener("storage", ({ key }) => key === storageKey && follow());
	follow();
}

export function setPaused(paused: boolean): void {
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
