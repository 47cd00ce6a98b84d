import { sql, type Tx } from "../database/sql.ts";

export interface Wave {
	name: string;
	/** Invitations have a code per person; news is the same for everyone. */
	kind: "invitation" | "news";
	state: "open" | "paused" | "canceled";
	askedAt: string;
	changedAt: string;
	/** Planned number of emails; 0 for all selected people. */
	size: number;
	startsAt: string;
	/** Days from an email to its code's expiry; 0 for news. */
	validDays: number;
	subject: string;
	message: string;
}

export const CODE_VALID_DAYS = 14;

export const isWaveName = (text: string) => /^[\p{L}\p{N}][\p{L}\p{N}._-]{0,63}$/u.test(text);

export const WAVE_NAME_INVALID =
	"A wave’s name must be 1 to 64 letters, digits, dots, hyphens and underscores, starting with a letter or digit, such as beta-1.";

const FIELDS = sql`name, kind, state, asked_at AS "askedAt", changed_at AS "changedAt", size,
	starts_at AS "startsAt", valid_days AS "validDays", subject, message`;

export const readWaves = (tx: Tx): Promise<Wave[]> =>
	tx.all(sql<Wave>`SELECT ${FIELDS} FROM wave ORDER BY asked_at, name`);

export const findWave = (tx: Tx, name: string): Promise<Wave | undefined> =>
	tx.first(sql<Wave>`SELECT ${FIELDS} FROM wave WHERE name = ${name}`);

export async function saveWave(tx: Tx, wave: Wave): Promise<void> {
	await tx.all(sql`INSERT INTO wave (name, kind, state, asked_at, changed_at, size, starts_at,
			valid_days, subject, message)
		VALUES (${wave.name}, ${wave.kind}, ${wave.state}, ${wave.askedAt}, ${wave.changedAt}, ${wave.size},
			${wave.startsAt}, ${wave.validDays}, ${wave.subject}, ${wave.message})
		ON CONFLICT (name) DO UPDATE
		SET state = excluded.state, changed_at = excluded.changed_at, size = excluded.size
		WHERE excluded.changed_at > wave.changed_at`);
}

/** Each email has one outcome. `refused` includes emails never attempted, such as those to flagged people. */
const EMAIL_OUTCOMES = [
	...(["waiting", "accepted", "redeemed", "expired"] as const),
	...(["bounced", "refused", "unknown", "canceled"] as const),
] as const;

/** States and outcomes with another name on pages: "accepted" would look like the invited person's answer. */
export const STATE_NAMES: Readonly<Record<string, string>> = {
	accepted: "sent",
	refused: "not delivered",
	sending: "being sent",
	unknown: "delivery unknown",
};

type EmailEnd = (typeof EMAIL_OUTCOMES)[number];

export function countInvitations(waves: readonly CountedWave[]) {
	const invitations = waves.filter(({ kind }) => kind === "invitation");
	if (invitations.length === 0) return undefined;
	const sum = (end: EmailEnd) => invitations.reduce((sum, { emails }) => sum + emails[end], 0);
	return {
		invited: sum("accepted") + sum("redeemed") + sum("expired"),
		unknown: sum("unknown"),
		redeemed: sum("redeemed"),
		expired: sum("expired"),
	};
}

export interface CountedWave extends Omit<Wave, "subject" | "message"> {
	emails: Record<EmailEnd, number>;
}

export async function readCountedWaves(tx: Tx, now: Date): Promise<CountedWave[]> {
	// Scans only the index `email_of_wave`.
	const counts = await tx.all(sql<{ wave: string; ends: EmailEnd; count: number }>`
		SELECT wave, CASE
				WHEN redeemed_at <> '' THEN 'redeemed'
				WHEN state IN ('waiting', 'deferred', 'sending') THEN 'waiting'
				WHEN reason IN ('canceled', 'bounced') THEN reason
				WHEN state IN ('refused', 'unknown') THEN state
				WHEN expires_at <> '' AND expires_at <= ${now.toISOString()} THEN 'expired'
				ELSE 'accepted'
			END AS ends, CAST(count(*) AS INTEGER) AS count
		FROM email WHERE wave <> '' GROUP BY 1, 2`);
	return (await readWaves(tx)).map(({ subject: _, message: __, ...wave }) => {
		const emails = Object.fromEntries(
			EMAIL_OUTCOMES.map((end) => [end, 0]),
		) as CountedWave["emails"];
		for (const { ends, count } of counts.filter((row) => row.wave === wave.name)) {
			emails[ends] = count;
		}
		return { ...wave, emails };
	});
}
