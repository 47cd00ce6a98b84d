import { Fragment, useEffect, useState } from "react";
import { useStore } from "zustand";
import { words as said } from "#brand";
import { isMoving, scene } from "../stage/scene.ts";

const { lines, turning: words, and } = said.headline;

/** All of it, to be read out. One string: React parts several by comments, and Chromium leaves out the space between two of them. */
export const sentence = `${lines.join(" ")} ${words.slice(0, -1).join(", ")} ${and} ${words.at(-1)}`;

const wordMs = 2500;

/**
 * A few lines, such as "Email, but make it Orbit", and a word that changes. All words lie on top of
 * each other: the longest keeps the space, and nothing shifts. Assistive technology hears one sentence
 * with all of them.
 * @param rests the word stays the one that is there: the visitor has joined
 */
export function Headline({ rests = false }: { rests?: boolean }) {
	const turn = useTurn(rests);
	return (
		<h1 className="headline" tabIndex={-1} data-quiet>
			<span className="visually-hidden">{sentence}</span>
			<span aria-hidden="true">
				{lines.map((line) => (
					<Fragment key={line}>
						<span className="line">{line}</span>{" "}
					</Fragment>
				))}
				<span className="words">
					{words.map((word, index) => (
						<span className="word" data-turn={placeOf(index, turn)} key={word}>
							<span className="ink">{word}</span>
						</span>
					))}
				</span>
			</span>
		</h1>
	);
}

/** How many times the word has changed. */
function useTurn(rests: boolean): number {
	const turning = useStore(scene, isMoving) && !rests;
	const [turn, setTurn] = useState(0);
	useEffect(() => {
		if (!turning) return;
		// A timer and a transition at each change, not an endless animation: with one, the browser
		// composites the whole window 60 times a second, even while nothing moves.
		const timer = setInterval(() => {
			if (document.visibilityState === "visible") setTurn((turns) => turns + 1);
		}, wordMs);
		return () => clearInterval(timer);
	}, [turning]);
	return turn;
}

/** Whether a word is the visible one, or the one before it. */
function placeOf(index: number, turn: number): "now" | "past" | undefined {
	if (index === turn % words.length) return "now";
	return turn > 0 && index === (turn - 1) % words.length ? "past" : undefined;
}
