/**
 * Animates the change between morning (0) and night (1). Until the canvas shows, the style sheet's
 * sphere does the same (`--dusk` in tokens.css).
 *
 *     night 1 ┤       ╭──────            ╭╮       reversed at half: back in half of the time,
 *             │     ╱                  ╱  ╲       as in the style sheet (CSS Transitions,
 *           0 ┼────╯              ─────╯    ╰──   "Faster reversing of interrupted transitions")
 *                  └1.4 s┘              └───┘
 */
const DUSK_MS = 1400;
const CURVE = { x1: 0.5, y1: 0, x2: 0.2, y2: 1 };

export interface DuskTransition {
	/** `from` and `to`: 0 is morning, 1 is night. */
	from: number;
	to: number;
	startMs: number;
	/** Size and duration, as shares of a whole transition's. */
	share: number;
}

export function createDuskTransition(night: number): DuskTransition {
	return { from: night, to: night, startMs: -1, share: 1 };
}

export function startDusk(dusk: DuskTransition, night: number, timeMs: number): void {
	if (dusk.to === night) return;
	const now = advanceDusk(dusk, timeMs);
	const gone = dusk.from === dusk.to ? 1 : (now - dusk.from) / (dusk.to - dusk.from);
	dusk.share = gone * dusk.share + 1 - dusk.share;
	dusk.from = now;
	dusk.to = night;
	dusk.startMs = -1;
}

export function endDusk(dusk: DuskTransition): void {
	dusk.from = dusk.to;
	dusk.share = 1;
}

/** @returns the progress from morning (0) to night (1) */
export function advanceDusk(dusk: DuskTransition, timeMs: number): number {
	if (dusk.from === dusk.to) return dusk.to;
	if (dusk.startMs < 0) dusk.startMs = timeMs;
	const passed = dusk.share === 0 ? 1 : (timeMs - dusk.startMs) / (DUSK_MS * dusk.share);
	if (passed < 1) return dusk.from + (dusk.to - dusk.from) * ease(passed);
	endDusk(dusk);
	return dusk.to;
}

/** Solves the Bézier curve by bisection. After 20 steps, the error is below a millionth. */
function ease(x: number): number {
	let low = 0;
	let high = 1;
	for (let step = 0; step < 20; step++) {
		const middle = (low + high) / 2;
		if (bezier(CURVE.x1, CURVE.x2, middle) < x) low = middle;
		else high = middle;
	}
	return bezier(CURVE.y1, CURVE.y2, low);
}

function bezier(first: number, second: number, t: number): number {
	const rest = 1 - t;
	return 3 * rest * rest * t * first + 3 * rest * t * t * second + t * t * t;
}
