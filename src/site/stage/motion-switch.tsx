import { useStore } from "zustand";
import { words } from "#words";
import { setMotionPaused } from "./motion.ts";
import { isMoving, scene } from "./scene.ts";

/**
 * Stops and resumes all motion (WCAG 2.2.2). The style sheet hides the switch without script, when
 * nothing moves.
 */
export function MotionSwitch() {
	const moving = useStore(scene, isMoving);
	return (
		<button
			className="motion-switch"
			type="button"
			data-quiet
			// No `aria-label`: screen readers would read the same text twice.
			title={moving ? words.motion.pause : words.motion.play}
			onClick={() => setMotionPaused(moving)}
		>
			<svg viewBox="0 0 24 24" aria-hidden="true">
				<path d={moving ? "M7.5 5.5h3v13h-3zM13.5 5.5h3v13h-3z" : "M8 5.5v13l10.5-6.5z"} />
			</svg>
		</button>
	);
}
