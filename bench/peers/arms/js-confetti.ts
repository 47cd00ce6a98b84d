import JSConfetti from "js-confetti";
import { EMOJI } from "../../../engine/simulation/index.ts";
import { classesOf, type Start } from "../scene.ts";

/** ms of the library's time between frames, and from the throw to the first frame. */
const EVERY = 4;
const THROW = 300;

/**
 * As documented. Its emoji do not fade, turn for 100 frames only and fall out of the picture within
 * a second. So they are thrown before each measurement, with the clock at a quarter of the speed,
 * which does not change a frame's work.
 */
export const start: Start = (canvas, scene) => {
	let now = 0;
	let every = 0;
	// The library reads the time once per frame, and once per thrown emoji.
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
