import { type KeyboardEvent, useEffect, useLayoutEffect, useRef, useState } from "react";
import { useStore } from "zustand";
import { emoji } from "#brand";
import { words } from "#words";
import { measureRectangles } from "../stage/quiet-zone.ts";
import { isMoving, scene } from "../stage/scene.ts";
import { supportsLateStyles } from "../styles/late-styles.ts";
import { chosenMoon, restoreMoon, selectNextMoon } from "./chosen-moon.ts";
import {
	computeOrbit,
	computeOrbitTimes,
	findRestingPlace,
	findStartStep,
	type OrbitLayout,
	orbitStepAt,
	orbitTimeAt,
} from "./orbit.ts";

const roundMs = 40_000;

/** Keys that select the next or previous emoji, in addition to a button's own keys. */
const KEYS: Readonly<Record<string, 1 | -1>> = {
	ArrowRight: 1,
	ArrowDown: 1,
	ArrowLeft: -1,
	ArrowUp: -1,
};

/**
 * The moon of a visitor who has joined. It orbits the sphere, also on later visits, and stops while
 * focused. A tap or a key selects another emoji.
 */
export function Moon() {
	const moon = useStore(chosenMoon, ({ moon }) => moon);
	useEffect(restoreMoon, []);
	return moon === undefined || !supportsLateStyles ? null : <Orbiting moon={moon} />;
}

function Orbiting({ moon }: { moon: number }) {
	const button = useRef<HTMLButtonElement>(null);
	const [held, setHeld] = useState(false);
	const [turned, setTurned] = useState(false);
	const [isNew] = useState(() => chosenMoon.getState().isNew);
	const moves = useStore(scene, isMoving) && !held;
	const quietZone = useStore(scene, ({ quietZone }) => quietZone);
	const step = useRef<number>(undefined);

	// biome-ignore lint/correctness/useExhaustiveDependencies: `quietZone` changes when words move.
	useLayoutEffect(() => {
		if (button.current) return revolve(button.current, moves, step);
	}, [quietZone, moves]);

	useEffect(() => () => chosenMoon.setState({ isNew: false }), []);

	function turn(by: 1 | -1) {
		setTurned(true);
		selectNextMoon(by);
	}

	function choose(event: KeyboardEvent) {
		const by = KEYS[event.key];
		if (!by) return;
		event.preventDefault();
		turn(by);
	}

	return (
		<>
			<button
				className="moon"
				type="button"
				ref={button}
				data-new={isNew}
				data-hint={isNew && !turned ? words.moon.hint : undefined}
				aria-label={`${words.moon.label}: ${emoji[moon]}`}
				onClick={() => turn(1)}
				onKeyDown={choose}
				onFocus={({ target }) => setHeld(target.matches(":focus-visible"))}
				onBlur={() => setHeld(false)}
			>
				<span key={moon}>{emoji[moon]}</span>
			</button>
			{/* A status, because screen readers do not announce a button's new name. */}
			<span className="visually-hidden" role="status">
				{turned && emoji[moon]}
			</span>
		</>
	);
}

/** Selects the headline's lines, not its rectangle: the moon may pass next to a short line. */
const WORDS = ":is(.line, .words), [data-quiet]:not(.headline)";

/**
 * Starts the orbit as one Web Animation, or places the moon at rest.
 * @param step the moon's position on the orbit, kept between animations
 * @returns a function that ends the animation
 */
function revolve(
	button: HTMLElement,
	moves: boolean,
	step: { current: number | undefined },
): (() => void) | undefined {
	const sphere = document.querySelector<HTMLElement>(".stage > .sphere");
	if (!sphere) return;
	// Layout size, because a page transition may still scale the sphere.
	const { offsetLeft, offsetTop, offsetWidth } = sphere;
	const radius = offsetWidth / 2;
	const layout: OrbitLayout = {
		middle: { x: offsetLeft + radius, y: offsetTop + radius },
		radius,
		width: innerWidth,
		height: innerHeight,
		size: button.offsetWidth,
		quietZone: measureRectangles(document.querySelectorAll(WORDS)),
	};
	const orbit = computeOrbit(layout);
	const restingPlace = findRestingPlace(orbit, layout);
	const { style } = button;
	style.visibility = restingPlace ? "" : "hidden";
	if (restingPlace) {
		style.translate = `${restingPlace.x}px ${restingPlace.y}px`;
		style.scale = `${restingPlace.scale}`;
	}
	if (!moves) return;
	const times = computeOrbitTimes(orbit);
	const frames = orbit.map(({ x, y, scale, free }, i) => ({
		offset: times[i]!,
		translate: `${x}px ${y}px`,
		scale,
		opacity: free ? 1 : 0,
		visibility: free ? "visible" : "hidden",
	}));
	const timing = { duration: roundMs, iterations: Number.POSITIVE_INFINITY };
	const round = button.animate?.(frames, timing);
	if (!round) return;
	// Continues where the last animation ended, unless words now cover that place.
	const last = step.current ?? 0;
	const continues = step.current !== undefined && orbit[Math.round(last)]!.free;
	const first = restingPlace && !continues ? findStartStep(orbit, restingPlace) : last;
	round.currentTime = roundMs * orbitTimeAt(times, first);
	// After a join, moon.css animates the moon from below to its place.
	const { y, scale } = orbit[Math.round(first)]!;
	style.setProperty("--from-y", `${(layout.middle.y - y) / scale}px`);
	return () => {
		step.current = orbitStepAt(times, (Number(round.currentTime) % roundMs) / roundMs);
		round.cancel();
	};
}
