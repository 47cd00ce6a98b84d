import type { Query } from "../../database/statement.ts";
import {
	countBouncedByWave,
	countByWave,
	countHeldByWave,
	type InState,
} from "../emails/email-counts.ts";
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
export const EMAIL_ENDS = [
	...(["waiting", "accepted", "redeemed", "expired"] as const),
	...(["bounced", "refused", "unknown", "cancelled"] as const),
] as const;

export type EmailEnd = (typeof EMAIL_ENDS)[number];

/** In the words of the operator: a cancelled letter was taken back, and refused by nobody. */
export const endAsText = (end: string) => (end === "cancelled" ? "taken back" : end);

export type EmailCounts = Record<EmailEnd, number>;

/** Counts the letters of all waves, by their names. A wave without a letter is not in it. */
export async function countWaves(query: Query, now: Date): Promise<Map<string, EmailCounts>> {
	// One after the other: together they would keep writers out.
	const byState = await countByWave(query, now);
	const bounced = await countBouncedByWave(query);
	const waves = new Map<string, EmailCounts>();
	for (const row of byState) waves.set(row.name, addState(waves.get(row.name), row));
	for (const { name, count } of bounced) {
		const counts = waves.get(name) ?? noEmails();
		const moved = Math.min(count, counts.refused);
		counts.bounced += moved;
		counts.refused -= moved;
	}
	return waves;
}

/** Adds the letters of one state to the counts of their wave. */
function addState(counts = noEmails(), row: InState): EmailCounts {
	const { state, count, redeemed, cancelled, bounced, expired } = row;
	const others = count - redeemed;
	const sum = { ...counts, redeemed: counts.redeemed + redeemed };
	if (state === "waiting" || state === "deferred" || state === "sending") {
		return { ...sum, waiting: sum.waiting + others };
	}
	sum.cancelled += cancelled;
	sum.bounced += bounced;
	const rest = others - cancelled - bounced;
	if (state === "refused" || state === "unknown") return { ...sum, [state]: sum[state] + rest };
	return { ...sum, expired: sum.expired + expired, accepted: sum.accepted + rest - expired };
}

/** The counts of a wave that has no letter yet. */
export function noEmails(): EmailCounts {
	return Object.fromEntries(EMAIL_ENDS.map((end) => [end, 0])) as EmailCounts;
}

/** Waiting letters of each wave that only the operator lets go. Waves without any are not in it. */
export async function countHeldOfWaves(query: Query): Promise<Map<string, number>> {
	const held = await countHeldByWave(query);
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
		const { accepted, redeemed, expired, unknown } = counts.get(name) ?? noEmails();
		total.invited += accepted + redeemed + expired;
		total.unknown += unknown;
		total.redeemed += redeemed;
		total.expired += expired;
	}
	return total;
}
