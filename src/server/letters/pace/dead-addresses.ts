import { ownerOf } from "./address-owner.ts";

/** How a letter ended that a mail server answered for good. */
export interface EndedLetter {
	/** The person's canonical address. */
	key: string;
	/** Whether it does not exist. */
	dead: boolean;
}

/** What the last letters of a stream say about its addresses. */
export interface Verdict {
	/** How many times slower than the rate the stream is; 1 is as fast as the rate. */
	slowed: number;
	/** The letters that say so: those since the addresses were last as good as they should be. */
	letters: number;
	/** Letters among them whose address does not exist, a few of each owner. */
	dead: number;
}

/** One dead address weighs as much as so many that exist: up to 1 in 26, 3.8 %, nothing adds up. */
const DEAD_WEIGHT = 25;

/** The excess above which a stream is slowed, and how many times. Each step is two dead addresses. */
const SLOWDOWNS = [
	{ above: 300, slowed: 2 },
	{ above: 350, slowed: 4 },
	{ above: 400, slowed: 8 },
] as const;

/** A slowdown ends so far below the excess at which it began: a stream does not flap. */
const HYSTERESIS = 50;

/** The largest excess, chosen so that 200 good letters end the worst slowdown. */
const MOST_EXCESS = 450;

/** SQL for the recipient of a refused letter whose address that letter's own bounce found missing. */
export const BOUNCED_BY_LETTER = "(bounced_at <> '' AND reason = '' AND bounce = code)";

/** Letters that are looked at, and as many as were sent before their reports can have come. */
export const LATEST = 1000;

/** How many dead addresses of one owner count. */
const MOST_OF_OWNER = 2;

/**
 * Judges a stream by a CUSUM test (Page, 1954), the quickest one for a share that has become worse.
 * Each dead address adds {@link DEAD_WEIGHT} to an excess, each letter that was taken removes 1, and
 * the excess is never below 0. Providers warn at 5 % of dead addresses; the excess grows above 3.8 %.
 *
 * By arithmetic (dead-addresses.test.ts computes it): 10,000 letters with 2.1 % of dead addresses are
 * slowed in 1 of 4,000 launches. With 8 % the excess grows by 1.08 a letter, so that the stream is
 * slowed after about 280 letters and 22 dead addresses, and is at an eighth of the rate 93 later.
 *
 * @param letters in the order in which they were sent, so that late reports count where they belong
 */
export function judgeLetters(letters: readonly EndedLetter[]): Verdict {
	const deadOf = new Map<string, number>();
	let excess = 0;
	let counted = 0;
	let dead = 0;
	let steps = 0;
	for (const { key, dead: isDead } of letters) {
		if (isDead) {
			const owner = ownerOf(key);
			const before = deadOf.get(owner) ?? 0;
			deadOf.set(owner, before + 1);
			if (before >= MOST_OF_OWNER) continue;
			excess = Math.min(MOST_EXCESS, excess + DEAD_WEIGHT);
			dead += 1;
		} else {
			excess = Math.max(0, excess - 1);
		}
		counted += 1;
		if (excess === 0) counted = dead = 0;
		if (excess > (SLOWDOWNS[steps]?.above ?? MOST_EXCESS)) steps += 1;
		else if (steps > 0 && excess <= SLOWDOWNS[steps - 1]!.above - HYSTERESIS) steps -= 1;
	}
	return { slowed: SLOWDOWNS[steps - 1]?.slowed ?? 1, letters: counted, dead };
}
