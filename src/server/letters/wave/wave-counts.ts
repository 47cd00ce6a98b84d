import type { Query } from "../../database/database.ts";
import { HELD_BY_OPERATOR } from "../held.ts";
import { TAKEN_BACK, UNSENT } from "../letter.ts";
import { readWaves } from "./waves.ts";

/**
 * What became of the letters of a wave: each is in exactly one of these.
 *
 * - waiting: it goes out later, or is going out.
 * - accepted: a mail server has it. The code of an invitation has neither been redeemed nor expired.
 * - bounced: the address does not exist.
 * - refused: a mail server never takes it, or its person left, or was marked, before it went out.
 * - unknown: it may have arrived.
 * - cancelled: its wave was cancelled before it went out.
 */
export const LETTER_ENDS = [
	...(["waiting", "accepted", "redeemed", "expired"] as const),
	...(["bounced", "refused", "unknown", "cancelled"] as const),
] as const;

export type LetterEnd = (typeof LETTER_ENDS)[number];

export type LetterCounts = Record<LetterEnd, number>;

/** Reads the index `letter_of_wave` alone: no letter. */
const BY_END = `SELECT wave AS name, CASE
		WHEN redeemed_at <> '' THEN 'redeemed'
		WHEN state IN ('waiting', 'deferred', 'sending') THEN 'waiting'
		WHEN code = '${TAKEN_BACK}' THEN 'cancelled'
		WHEN code = 'bounced' THEN 'bounced'
		WHEN state IN ('refused', 'unknown') THEN state
		WHEN expires_at <> '' AND expires_at <= $1 THEN 'expired'
		ELSE 'accepted'
	END AS "end", CAST(count(*) AS INTEGER) AS count
	FROM letter WHERE wave <> '' GROUP BY 1, 2`;

/** Of the refused: whose mail server said that the address does not exist. */
const BOUNCED = `SELECT wave AS name, CAST(count(*) AS INTEGER) AS count
	FROM letter JOIN recipient ON recipient.email_key = letter.email_key
	WHERE wave IN (SELECT name FROM wave) AND wave <> '' AND state = 'refused' AND redeemed_at = ''
		AND bounced_at <> '' AND code = bounce
	GROUP BY wave`;

interface Counted {
	name: string;
	count: number;
}

/** Counts the letters of all waves, by their names. A wave without a letter is not in it. */
export async function countWaves(query: Query, now: Date): Promise<Map<string, LetterCounts>> {
	// One after the other: together they would keep writers out.
	const byEnd = await query<Counted & { end: LetterEnd }>(BY_END, [now.toISOString()]);
	const bounced = await query<Counted>(BOUNCED);
	const waves = new Map<string, LetterCounts>();
	for (const { name, end, count } of byEnd) {
		const counts = waves.get(name) ?? noLetters();
		waves.set(name, { ...counts, [end]: count });
	}
	for (const { name, count } of bounced) {
		const counts = waves.get(name) ?? noLetters();
		const moved = Math.min(count, counts.refused);
		counts.bounced += moved;
		counts.refused -= moved;
	}
	return waves;
}

/** The counts of a wave that has no letter yet. */
export function noLetters(): LetterCounts {
	return Object.fromEntries(LETTER_ENDS.map((end) => [end, 0])) as LetterCounts;
}

/** Of the letters of each wave that wait, how many the operator has to let go. Waves without one are not in it. */
export async function countHeldOfWaves(query: Query): Promise<Map<string, number>> {
	const held = await query<Counted>(
		`SELECT wave AS name, CAST(count(*) AS INTEGER) AS count FROM letter
		WHERE wave IN (SELECT name FROM wave) AND wave <> '' AND ${UNSENT} AND ${HELD_BY_OPERATOR}
		GROUP BY wave`,
	);
	return new Map(held.map(({ name, count }) => [name, count]));
}

/** The invitations of all waves that went out, and what became of them. */
export interface InvitationCounts {
	invited: number;
	/** They may have arrived. */
	unknown: number;
	redeemed: number;
	expired: number;
}

/** Counts invitations. Gives undefined where there is no wave of them. */
export async function countInvitations(
	query: Query,
	now: Date,
): Promise<InvitationCounts | undefined> {
	const waves = (await readWaves(query)).filter(({ kind }) => kind === "invitation");
	if (waves.length === 0) return undefined;
	const counts = await countWaves(query, now);
	const total = { invited: 0, unknown: 0, redeemed: 0, expired: 0 };
	for (const { name } of waves) {
		const { accepted, redeemed, expired, unknown } = counts.get(name) ?? noLetters();
		total.invited += accepted + redeemed + expired;
		total.unknown += unknown;
		total.redeemed += redeemed;
		total.expired += expired;
	}
	return total;
}
