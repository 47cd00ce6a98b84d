import { because } from "../letter.ts";
import { ownerOf } from "./address-owner.ts";

/** How many owners of addresses have to complain, and how many times slower their stream is then. */
const SLOWDOWNS = [
	{ complaints: 3, slowed: 2 },
	{ complaints: 4, slowed: 4 },
	{ complaints: 5, slowed: 8 },
] as const;

/** SQL for a letter whose person called it spam. */
export const HAS_COMPLAINED = `(state = 'accepted' AND ${because("complaint")})`;

/**
 * What complaints about the last letters of a stream make of it. Three of 1,000 are 0.3 %, at which Gmail
 * refuses a sender; Amazon looks into 0.1 % and pauses at 0.5 %. Each owner counts once.
 *
 * @param keys of the people who complained
 */
export function judgeComplaints(keys: readonly string[]): { slowed: number; complaints: number } {
	const complaints = new Set(keys.map(ownerOf)).size;
	return { slowed: slowdownOf(complaints), complaints };
}

/** How many times slower so many complaints make a stream. */
export function slowdownOf(complaints: number): number {
	return SLOWDOWNS.findLast((step) => complaints >= step.complaints)?.slowed ?? 1;
}
