import { countWhere, rowsIn, sql } from "../../database/sql.ts";
import type { Tx } from "../../database/transaction.ts";

/** An invitation has a code for each person; news say the same to everybody. */
export type WaveKind = "invitation" | "news";

/** Codes of a canceled wave are void. */
export type WaveState = "open" | "paused" | "cancelled";

/** A wave of emails. Times are ISO 8601 in UTC with milliseconds. */
export interface Wave {
	name: string;
	kind: WaveKind;
	state: WaveState;
	askedAt: string;
	changedAt: string;
	/** How many emails it is to have; 0 is one to everybody selected. */
	size: number;
	/** No email goes out before. */
	startsAt: string;
	/** Days after its email for which a code is good; 0 for news. */
	validDays: number;
	/** What the founder wrote; empty for our standard invitation. */
	subject: string;
	message: string;
}

export const VALID_DAYS = 14;

/** Names of waves are used in commands, tables and metrics. */
export const isWaveName = (text: string) => /^[\p{L}\p{N}][\p{L}\p{N}._-]{0,63}$/u.test(text);

export const WAVE_NAME_INVALID =
	"It must be 1 to 64 letters, digits, dots, hyphens and underscores, as in beta-1.";

const FIELDS = sql`name, kind, state, asked_at AS "askedAt", changed_at AS "changedAt", size,
	starts_at AS "startsAt", valid_days AS "validDays", subject, message`;

/** All waves, the oldest first. */
export const readWaves = (tx: Tx): Promise<Wave[]> =>
	tx.all(sql<Wave>`SELECT ${FIELDS} FROM wave ORDER BY asked_at, name`);

export const findWave = (tx: Tx, name: string): Promise<Wave | undefined> =>
	tx.first(sql<Wave>`SELECT ${FIELDS} FROM wave WHERE name = ${name}`);

/** Adds a wave, or saves a later change of it. */
export async function saveWave(tx: Tx, wave: Wave): Promise<void> {
	const { name, kind, state, askedAt, changedAt, size, startsAt, validDays, subject, message } =
		wave;
	await tx.all(sql`INSERT INTO wave (name, kind, state, asked_at, changed_at, size, starts_at,
			valid_days, subject, message)
		VALUES (${name}, ${kind}, ${state}, ${askedAt}, ${changedAt}, ${size}, ${startsAt}, ${validDays},
			${subject}, ${message})
		ON CONFLICT (name) DO UPDATE
		SET state = excluded.state, changed_at = excluded.changed_at, size = excluded.size
		WHERE excluded.changed_at > wave.changed_at`);
}

/** Adds the missing waves of imported invitations: arrays of a key, a wave and a time. */
export const addWavesOf = (invitations: readonly (readonly string[])[], now: Date) =>
	sql`INSERT INTO wave (name, kind, state, asked_at, changed_at, size, starts_at, valid_days,
			subject, message)
		SELECT value->>1, 'invitation', 'open', min(value->>2), ${now.toISOString()}, 0, min(value->>2),
			CAST(${VALID_DAYS} AS INT), '', ''
		FROM ${rowsIn(invitations)} WHERE TRUE GROUP BY 1 ON CONFLICT (name) DO NOTHING`;

/**
 * Where the emails of a wave stand. Each is counted once:
 *
 * - waiting: not sent yet, or being sent
 * - accepted: a mail server has it; the code of an invitation was neither redeemed nor expired
 * - bounced: the address does not exist
 * - refused: by a mail server, or its person unsubscribed or was flagged before it was sent
 * - unknown: it may have arrived
 * - cancelled: taken back before it was sent
 */
export const EMAIL_ENDS = [
	...(["waiting", "accepted", "redeemed", "expired"] as const),
	...(["bounced", "refused", "unknown", "cancelled"] as const),
] as const;

type EmailEnd = (typeof EMAIL_ENDS)[number];

export const endAsText = (end: string) => (end === "cancelled" ? "taken back" : end);

type EmailCounts = Record<EmailEnd, number>;

const noEmails = () => Object.fromEntries(EMAIL_ENDS.map((end) => [end, 0])) as EmailCounts;

interface InState {
	name: string;
	state: string;
	count: number;
	redeemed: number;
	cancelled: number;
	bounced: number;
	expired: number;
}

/** Counts the emails of all waves by their names. A wave without emails is missing. */
async function countWaves(tx: Tx, now: Date): Promise<Map<string, EmailCounts>> {
	// Reads the index `email_of_wave` alone, in its order.
	const states = await tx.all(sql<InState>`
		SELECT wave AS name, state, CAST(count(*) AS INTEGER) AS count,
			${countWhere(sql`redeemed_at <> ''`)} AS redeemed,
			${countWhere(sql`reason = 'cancelled' AND redeemed_at = ''`)} AS cancelled,
			${countWhere(sql`reason = 'bounced' AND redeemed_at = ''`)} AS bounced,
			${countWhere(sql`expires_at <= ${now.toISOString()} AND expires_at <> '' AND redeemed_at = ''
				AND reason NOT IN ('cancelled', 'bounced')`)} AS expired
		FROM email WHERE wave <> '' GROUP BY wave, state`);
	// Refused emails whose mail server said that the address does not exist.
	const bounced = await tx.all(sql<{ name: string; count: number }>`
		SELECT wave AS name, CAST(count(*) AS INTEGER) AS count
		FROM email JOIN registration ON registration.email_key = email.email_key
		WHERE wave IN (SELECT name FROM wave) AND wave <> '' AND state = 'refused' AND redeemed_at = ''
			AND bounced_at <> '' AND reason = '' AND bounce = code
		GROUP BY wave`);
	const waves = new Map<string, EmailCounts>();
	for (const row of states) waves.set(row.name, addState(waves.get(row.name) ?? noEmails(), row));
	for (const { name, count } of bounced) {
		// People join and bounce between the two statements.
		const counts = waves.get(name) ?? noEmails();
		const moved = Math.min(count, counts.refused);
		counts.bounced += moved;
		counts.refused -= moved;
	}
	return waves;
}

function addState(counts: EmailCounts, row: InState): EmailCounts {
	const { state, redeemed, cancelled, bounced, expired } = row;
	const others = row.count - redeemed;
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

/** The invitations of all waves. */
export interface InvitationCounts {
	invited: number;
	unknown: number;
	redeemed: number;
	expired: number;
}

/** @returns undefined without a wave of invitations */
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

export interface CountedWave extends Omit<Wave, "subject" | "message"> {
	letters: EmailCounts;
}

/** All waves, the oldest first. */
export async function readCountedWaves(tx: Tx, now: Date): Promise<CountedWave[]> {
	const counts = await countWaves(tx, now);
	return (await readWaves(tx)).map(({ subject: _, message: __, ...wave }) => ({
		...wave,
		letters: counts.get(wave.name) ?? noEmails(),
	}));
}
