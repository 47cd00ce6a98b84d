import type { Query } from "../database/database.ts";
import { type Dialect, keysAsJson, keysOf, ofPeople } from "../database/dialect.ts";
import { daysAfter } from "../time.ts";
import { noteGap } from "./gaps.ts";
import { ASSUMED, isInvitation, type LetterState, SENT_AT } from "./letter.ts";
import { VALID_DAYS } from "./wave/wave.ts";

/** The people whose invitation went out before a time, ISO 8601, a page at a time. */
export async function* pagesOfInvited(query: Query, before: string): AsyncGenerator<string[]> {
	for (let after = { sentAt: "", key: "" }; ; ) {
		const page = await query<typeof after>(
			`SELECT email_key AS "key", ended_at AS "sentAt" FROM letter
			WHERE ended_at <> '' AND (ended_at, email_key) > ($1, $2) AND ended_at < $3
				AND ${isInvitation("letter")} AND ${SENT_AT} <> ''
			ORDER BY ended_at, email_key LIMIT 200`,
			[after.sentAt, after.key, before],
		);
		if (page.length > 0) yield keysOf(page);
		if (page.length < 200) return;
		after = page.at(-1)!;
	}
}

/** An invitation as an export has it. Times are ISO 8601; '' is never. */
export interface KnownInvitation {
	key: string;
	wave: string;
	/** When its letter went out; '' where it was still to be sent. */
	invitedAt: string;
	/** When it may have gone out: nobody knows whether it arrived. */
	unknownAt: string;
	expiresAt: string;
	redeemedAt: string;
}

/**
 * When a code is worth nothing any more. An export knows no state of waves, so a wave that was
 * cancelled ends its codes.
 */
const ENDS_AT = `CASE WHEN wave.state = 'cancelled' AND wave.changed_at < expires_at
	THEN wave.changed_at ELSE expires_at END`;

/** SQL for a letter of which nobody knows whether it arrived. */
const MAY_HAVE_ARRIVED = "letter.state = 'unknown' AND letter.redeemed_at = ''";

/** The invitations of people, each person's latest one. */
export function invitationsOf(
	query: Query,
	dialect: Dialect,
	keys: readonly string[],
): Promise<KnownInvitation[]> {
	return query(
		`SELECT email_key AS "key", letter.wave, ${ENDS_AT} AS "expiresAt",
			redeemed_at AS "redeemedAt",
			CASE WHEN ${MAY_HAVE_ARRIVED} THEN '' ELSE ${SENT_AT} END AS "invitedAt",
			CASE WHEN ${MAY_HAVE_ARRIVED} THEN ended_at ELSE '' END AS "unknownAt"
		FROM letter JOIN wave ON wave.name = letter.wave
		WHERE ${ofPeople(dialect)} AND ${isInvitation("letter")}
		ORDER BY letter.asked_at`,
		[keysAsJson(keys)],
	);
}

/**
 * Adds invitations from an export, with the waves that are missing. The list that it was written from
 * may have sent letters since: that is a gap, and an invitation that was still to be sent is unknown.
 * Whoever has one here keeps it, but a code that was redeemed there is redeemed.
 *
 * @returns how many were added of which nobody knows whether they went out
 */
export async function addInvitations(
	query: Query,
	{ jsonRows, insertOrder }: Dialect,
	invitations: readonly KnownInvitation[],
	now: Date,
): Promise<number> {
	if (invitations.length === 0) return 0;
	const expiresNow = daysAfter(now.getTime(), VALID_DAYS);
	const all = invitations.map(({ key, wave, invitedAt, unknownAt, expiresAt, redeemedAt }) => {
		const sentAt = invitedAt || unknownAt;
		if (sentAt === "") {
			return [key, wave, now.toISOString(), expiresNow, redeemedAt, "unknown", ASSUMED];
		}
		const state = invitedAt === "" && redeemedAt === "" ? "unknown" : "accepted";
		return [key, wave, sentAt, expiresAt, redeemedAt, state, ""];
	});
	const rows = JSON.stringify(all);
	// Of several lines of one person the first brings the invitation.
	const firsts = [...new Map(all.toReversed().map((row) => [row[0], row])).values()];
	await query(
		`INSERT INTO wave (name, kind, state, asked_at, changed_at, size, starts_at, valid_days,
			subject, message)
		SELECT value->>1, 'invitation', 'open', min(value->>2), $2, 0, min(value->>2), ${VALID_DAYS},
			'', ''
		FROM ${jsonRows} WHERE true GROUP BY 1 ON CONFLICT (name) DO NOTHING`,
		[rows, now.toISOString()],
	);
	const added = await query<{ state: LetterState }>(
		`INSERT INTO letter (email_key, kind, wave, state, code, asked_at, next_at, ended_at, expires_at,
			redeemed_at)
		SELECT value->>0, 'invitation', value->>1, value->>5, value->>6, value->>2, value->>2, value->>2,
			value->>3, value->>4
		FROM ${jsonRows} WHERE NOT EXISTS (
			SELECT 1 FROM letter WHERE letter.email_key = value->>0 AND ${isInvitation("letter")}
		) ${insertOrder}
		ON CONFLICT (email_key, kind, wave) DO NOTHING RETURNING state`,
		[JSON.stringify(firsts)],
	);
	await query(
		`UPDATE letter SET redeemed_at = (
			SELECT max(value->>4) FROM ${jsonRows} WHERE value->>0 = email_key AND value->>1 = wave
		) WHERE redeemed_at = '' AND kind = 'invitation' AND (email_key, wave) IN (
			SELECT value->>0, value->>1 FROM ${jsonRows} WHERE value->>4 <> ''
		)`,
		[rows],
	);
	if (added.length > 0) {
		const sent = invitations.map(({ invitedAt, unknownAt }) => invitedAt || unknownAt);
		await noteGap(query, { from: sent.sort().at(-1)!, until: now.toISOString() });
	}
	return added.filter(({ state }) => state === "unknown").length;
}
