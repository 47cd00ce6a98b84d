import JSConfetti from "js-confetti";
import { EMOJI } from "../../../engine/simulation/index.ts";
import { classesOf, type Start } from "../scene.ts";

/** ms of the library's time from one frame to the next, and from the throw to the first frame. */
const EVERY = 4;
const THROW = 300;

/**
 * js-confetti as its documentation says. Its emoji do not fade, turn for 100 frames only and fall out of
 * the picture within a second. So they are thrown anew before each measurement, and its clock goes at a
 * quarter of its speed, which does not change the work of a frame.
 */
export const start: Start = (canvas, scene) => {
	let now = 0;
	let every = 0;
	// The library reads the time once per frame, and once for each emoji that it throws.
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
		for (const { size, count } of classesOf(scene)) {
			void confetti.addConfetti({
				emojis: [...EMOJI],
				emojiSize: size,
				confettiNumber: count,
			});
		}
		now += THROW;
		every = EVERY;
	}
	throwAll();
	return { renew: throwAll };
};
