import { type KeyboardEvent, useEffect, useLayoutEffect, useRef, useState } from "react";
import { useStore } from "zustand";
import { emoji, words } from "#brand";
import { isMoving, scene } from "../stage/scene.ts";
import { takesLateStyles } from "../styles/late-styles.ts";
import { chosenMoon, recallMoon, turnMoon } from "./chosen-moon.ts";
import { type Heavens, orbitAround, standingPlace } from "./orbit.ts";

const roundMs = 40_000;

/** Keys that choose, beside those of any button. */
const STEPS: Readonly<Record<string, 1 | -1>> = {
	...{ ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 },
};

/**
 * The moon of a visitor who has joined (promise 101): it goes round the sphere, also on later visits,
 * and a tap or a key chooses another one. It stands while nothing may move and while it has the focus,
 * and where words are it is not seen.
 */
export function Moon() {
	const moon = useStore(chosenMoon, ({ moon }) => moon);
	useEffect(recallMoon, []);
	return moon === undefined || !takesLateStyles ? null : <Orbiting moon={moon} />;
}

function Orbiting({ moon }: { moon: number }) {
	const button = useRef<HTMLButtonElement>(null);
	const [held, setHeld] = useState(false);
	const moves = useStore(scene, isMoving) && !held;
	const quietZone = useStore(scene, ({ quietZone }) => quietZone);
	const atMs = useRef<number>(undefined);

	useLayoutEffect(() => {
		if (button.current) return revolve(button.current, quietZone, moves, atMs);
	}, [quietZone, moves]);

	function choose(event: KeyboardEvent) {
		const step = STEPS[event.key];
		if (!step) return;
		event.preventDefault();
		turnMoon(step);
	}

	return (
		<button
			className="moon"
			type="button"
			ref={button}
			aria-label={`${words.moon.label}: ${emoji[moon]}`}
			onClick={() => turnMoon(1)}
			onKeyDown={choose}
			onFocus={({ target }) => setHeld(target.matches(":focus-visible"))}
			onBlur={() => setHeld(false)}
		>
			<span key={moon}>{emoji[moon]}</span>
		</button>
	);
}

/**
 * Has the moon go round, by one animation that the browser plays by itself, or stand.
 * @param atMs where in its round it is, kept from one animation to the next
 * @returns the function that ends it
 */
function revolve(
	button: HTMLElement,
	quietZone: readonly number[],
	moves: boolean,
	atMs: { current: number | undefined },
): (() => void) | undefined {
	const sphere = document.querySelector(".stage > .sphere")?.getBoundingClientRect();
	if (!sphere) return;
	const heavens: Heavens = {
		middle: { x: sphere.x + sphere.width / 2, y: sphere.y + sphere.height / 2 },
		...{ radius: sphere.width / 2, width: innerWidth, height: innerHeight },
		...{ size: button.offsetWidth, quietZone },
	};
	const orbit = orbitAround(heavens);
	const stands = standingPlace(orbit, heavens);
	const { style } = button;
	style.visibility = stands ? "" : "hidden";
	if (stands) {
		style.translate = `${stands.x}px ${stands.y}px`;
		style.scale = `${stands.scale}`;
	}
	if (!moves) return;
	const frames = orbit.map(({ x, y, scale, free }) => ({
		...{ translate: `${x}px ${y}px`, scale, opacity: free ? 1 : 0 },
		visibility: free ? "visible" : "hidden",
	}));
	const round = button.animate?.(frames, {
		duration: roundMs,
		iterations: Number.POSITIVE_INFINITY,
	});
	if (!round) return;
	// It begins where it would stand, and is seen there.
	round.currentTime =
		atMs.current ?? (roundMs * (stands ? orbit.indexOf(stands) : 0)) / (orbit.length - 1);
	return () => {
		atMs.current = Number(round.currentTime) % roundMs;
		round.cancel();
	};
}
