import JSConfetti from "js-confetti";
import { EMOJI } from "../../../engine/simulation/index.ts";
import { classesOf, type Start } from "../scene.ts";

/** ms of its time from one frame to the next, and from the throw to the first. */
const EVERY = 4;
const THROW = 300;

/**
 * js-confetti as its documents say. What it cannot do: its emoji do not fade; they turn for 100 frames;
 * and they fall out of the picture within a second. So they are thrown anew before each measurement,
 * and its clock goes at a quarter of its speed, which changes nothing of what it does in a frame.
 */
export const start: Start = (canvas, scene) => {
	let now = 0;
	let every = 0;
	// It asks for the time once a frame, and once for each emoji that it throws.
	globalThis.Date = class extends Date {
		override getTime(): number {
			now += every;
			return now;
		}
	} as DateConstructor;
	const confetti = new JSConfetti({ canvas });
	function throwAll(): void {
		confetti.clearCanvas();
		every = 0;
		for (const { size, count } of classesOf(scene))
			void confetti.addConfetti({
				emojis: [...EMOJI],
				emojiSize: size,
				confettiNumber: count,
			});
		now += THROW;
		every = EVERY;
	}
	throwAll();
	return { renew: throwAll };
};
