import { countWhere, sql } from "../../database/sql.ts";
import type { Tx } from "../../database/transaction.ts";
import type { Wave } from "./wave.ts";
import { readWaves } from "./waves.ts";

/**
 * What became of the emails of a wave: each is in exactly one of these.
 *
 * - waiting: it goes out later, or is going out.
 * - accepted: a mail server has it. The code of an invitation has neither been redeemed nor expired.
 * - bounced: the address does not exist.
 * - refused: a mail server never takes it, or its person unsubscribed or was flagged before it went out.
 * - unknown: it may have arrived.
 * - cancelled: its wave was cancelled before it went out.
 */
export const EMAIL_ENDS = [
	...(["waiting", "accepted", "redeemed", "expired"] as const),
	...(["bounced", "refused", "unknown", "cancelled"] as const),
] as const;

export type EmailEnd = (typeof EMAIL_ENDS)[number];

/** In the words of the operator: a cancelled email was taken back, and refused by nobody. */
export const endAsText = (end: string) => (end === "cancelled" ? "taken back" : end);

export type EmailCounts = Record<EmailEnd, number>;

/** Counts the emails of all waves, by their names. A wave without an email is not in it. */
async function countWaves(tx: Tx, now: Date): Promise<Map<string, EmailCounts>> {
	// One after the other: together they would keep writers out.
	const byState = await countByWave(tx, now);
	const bounced = await countBouncedByWave(tx);
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

/** Adds the emails of one state to the counts of their wave. */
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

/** The counts of a wave that has no email yet. */
function noEmails(): EmailCounts {
	return Object.fromEntries(EMAIL_ENDS.map((end) => [end, 0])) as EmailCounts;
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
export async function countInvitations(tx: Tx, now: Date): Promise<InvitationCounts | undefined> {
	const waves = (await readWaves(tx)).filter(({ kind }) => kind === "invitation");
	if (waves.length === 0) return undefined;
	const counts = await countWaves(tx, now);
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

/** Emails of a wave. */
interface OfWave {
	name: string;
	count: number;
}

/** Emails of a wave in a state, and what else became of them. */
interface InState extends OfWave {
	state: string;
	redeemed: number;
	cancelled: number;
	bounced: number;
	expired: number;
}

/**
 * Counts emails of waves by state. It reads the index `email_of_wave` alone, in its order: no row, and nothing
 * is sorted. An email that was redeemed counts as that alone.
 */
const countByWave = (tx: Tx, now: Date): Promise<InState[]> =>
	tx.all(sql`SELECT wave AS name, state, CAST(count(*) AS INTEGER) AS count,
			${countWhere(sql`redeemed_at <> ''`)} AS redeemed,
			${countWhere(sql`reason = 'cancelled' AND redeemed_at = ''`)} AS cancelled,
			${countWhere(sql`reason = 'bounced' AND redeemed_at = ''`)} AS bounced,
			${countWhere(sql`expires_at <= ${now.toISOString()} AND expires_at <> '' AND redeemed_at = ''
				AND reason NOT IN ('cancelled', 'bounced')`)} AS expired
		FROM email WHERE wave <> '' GROUP BY wave, state`);

/** Counts the refused emails of waves whose mail server said that the address does not exist. */
const countBouncedByWave = (tx: Tx): Promise<OfWave[]> =>
	tx.all(sql`SELECT wave AS name, CAST(count(*) AS INTEGER) AS count
		FROM email JOIN registration ON registration.email_key = email.email_key
		WHERE wave IN (SELECT name FROM wave) AND wave <> '' AND state = 'refused' AND redeemed_at = ''
			AND bounced_at <> '' AND reason = '' AND bounce = code
		GROUP BY wave`);

/** Counts the emails of waves that wait and that the operator has to release. */
const countHeldByWave = (tx: Tx): Promise<OfWave[]> =>
	tx.all(sql`SELECT wave AS name, CAST(count(*) AS INTEGER) AS count FROM email
		WHERE wave IN (SELECT name FROM wave WHERE state <> 'paused') AND wave <> '' AND held <> 0
			AND state IN ('waiting', 'deferred')
		GROUP BY wave`);

/** A wave in numbers: each of its emails is counted once. */
export interface CountedWave extends Omit<Wave, "subject" | "message"> {
	letters: EmailCounts;
	/** Waiting letters that only `waitlist resume` lets go. */
	held: number;
}

/** All waves with what became of their emails, the oldest first. */
export async function readCountedWaves(tx: Tx, now: Date): Promise<CountedWave[]> {
	const counts = await countWaves(tx, now);
	const held = new Map((await countHeldByWave(tx)).map(({ name, count }) => [name, count]));
	return (await readWaves(tx)).map(({ subject: _, message: __, ...wave }) => ({
		...wave,
		letters: counts.get(wave.name) ?? noEmails(),
		held: held.get(wave.name) ?? 0,
	}));
}
