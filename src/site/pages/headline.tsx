import { Fragment, useEffect, useState } from "react";
import { useStore } from "zustand";
import { words as said } from "#words";
import { isMoving, scene } from "../stage/scene.ts";

const { lines, turning: words, and } = said.headline;

/** Separates the words in text browsers, which show all of them in one line. Hidden elsewhere. */
const separatorBefore = (n: number) => (n === words.length - 1 ? ` ${and} ` : ", ");

export const headlineSentence = `${lines.join(" ")} ${words.map((word, n) => (n ? separatorBefore(n) : "") + word).join("")}`;

const wordMs = 2500;

/**
 * A few lines and a rotating word. Its words overlap in one cell sized to the longest, so nothing
 * shifts. Assistive technology gets one sentence with all words.
 * @param rests stops the rotation after the visitor joined
 */
export function Headline({ rests = false }: { rests?: boolean }) {
	const turn = useTurn(rests);
	return (
		<h1 className="headline" tabIndex={-1} data-quiet aria-label={headlineSentence}>
			<span aria-hidden="true">
				{lines.map((line) => (
					<Fragment key={line}>
						<span className="line">{line}</span>{" "}
					</Fragment>
				))}
				<span className="words">
					{words.map((word, index) => (
						<Fragment key={word}>
							{index > 0 && <span className="visually-hidden">{separatorBefore(index)}</span>}
							<span className="word" data-turn={placeOf(index, turn)}>
								<span className="ink">{word}</span>
							</span>
						</Fragment>
					))}
				</span>
			</span>
		</h1>
	);
}

function useTurn(rests: boolean): number {
	const turning = useStore(scene, isMoving) && !rests;
	const [turn, setTurn] = useState(0);
	useEffect(() => {
		if (!turning) return;
		// A timer, because an endless CSS animation makes the browser composite the whole window 60
		// times a second, even between word changes.
		const timer = setInterval(() => {
			if (document.visibilityState === "visible") setTurn((turns) => turns + 1);
		}, wordMs);
		return () => clearInterval(timer);
	}, [turning]);
	return turn;
}

/** "past" is the previous word. */
function placeOf(index: number, turn: number): "now" | "past" | undefined {
	if (index === turn % words.length) return "now";
	return turn > 0 && index === (turn - 1) % words.length ? "past" : undefined;
}
