import type { Query } from "../../database/database.ts";
import { COMPLAINED } from "../letter.ts";
import { ownerOf } from "./address-owner.ts";

/** How many owners of addresses have to complain, and how many times slower their stream is then. */
const SLOWDOWNS = [
	{ complaints: 3, slowed: 2 },
	{ complaints: 4, slowed: 4 },
	{ complaints: 5, slowed: 8 },
] as const;

/** SQL for a letter whose person called it spam. */
export const HAS_COMPLAINED = `(state = 'accepted' AND code = '${COMPLAINED}')`;

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

/**
 * Counts the people who called a letter spam since a time, ISO 8601. Whoever complains leaves at that
 * moment, so the letter does not know when that was, but its person does.
 */
export async function countComplainers(query: Query, since: string): Promise<number> {
	const [row] = await query<{ people: number }>(
		`SELECT CAST(count(DISTINCT letter.email_key) AS INTEGER) AS people
		FROM recipient JOIN letter ON letter.email_key = recipient.email_key
		WHERE left_at <> '' AND left_at > $1 AND code = '${COMPLAINED}'`,
		[since],
	);
	return row!.people;
}
