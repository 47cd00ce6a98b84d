import { useStore } from "zustand";
import { scene, setPaused } from "./scene.ts";

/**
 * Stops and resumes everything that moves (WCAG 2.2.2). Without script nothing moves, and the
 * style sheet keeps the switch hidden until there is something to stop.
 */
export function MotionSwitch() {
	const paused = useStore(scene, (state) => state.paused);
	return (
		<button
			className="motion-switch"
			type="button"
			aria-label={paused ? "Play animations" : "Pause animations"}
			title={paused ? "Play animations" : "Pause animations"}
			onClick={() => setPaused(!paused)}
		>
			<svg viewBox="0 0 24 24" aria-hidden="true">
				<path d={paused ? "M8 5.5v13l10.5-6.5z" : "M7.5 5.5h3v13h-3zM13.5 5.5h3v13h-3z"} />
			</svg>
		</button>
	);
}
