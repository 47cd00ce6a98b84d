import { sql } from "../../database/sql.ts";
import type { Tx } from "../../database/transaction.ts";
import { daysAfter, isoOf } from "../../time.ts";
import { addEvents } from "../../webhooks/event.ts";
import type { WaveState } from "../wave/wave.ts";
import { SENT_AT } from "./email.ts";
import { readGap } from "./gaps.ts";

/** A wave that invited a person, or may have. */
export interface Invited {
	wave: string;
	/** When the code expires, ISO 8601; '' before its email is sent. */
	expiresAt: string;
	/** For how many days it is good. */
	days: number;
	/** The end of a gap in which the wave may have invited them, ISO 8601; '' without one. */
	gapUntil: string;
}

/**
 * A restored list does not know all that was sent, so any wave that is older than the end of a gap may have
 * invited a person.
 *
 * @param key a canonical address; "" is nobody's
 */
export async function wavesThatInvited(tx: Tx, key: string): Promise<Invited[]> {
	const gapUntil = (await readGap(tx))?.until ?? "";
	return tx.all(sql<Invited>`SELECT wave.name AS wave, COALESCE(expires_at, '') AS "expiresAt",
			valid_days AS days, CASE WHEN wave.asked_at < ${gapUntil} THEN ${gapUntil} ELSE '' END AS "gapUntil"
		FROM wave LEFT JOIN email ON email.email_key = ${key} AND email.kind = 'invitation'
			AND email.wave = wave.name
		WHERE wave.kind = 'invitation' AND (email.email_key IS NOT NULL OR wave.asked_at < ${gapUntil})`);
}

/** An invitation and its person. Times are ISO 8601; '' is never. */
export interface RedeemFacts {
	email: string;
	source: string;
	joinedAt: string;
	confirmedAt: string;
	invitedAt: string;
	/** When the code was redeemed, now or before. */
	redeemedAt: string;
	waveState: WaveState;
}

/**
 * Redeems an invitation whose code is right, once, unless it has expired or its wave was canceled.
 *
 * @returns whether this call redeemed it; undefined if the person was deleted a moment ago
 */
export async function redeemInvitation(
	tx: Tx,
	{ key, invited }: { key: string; invited: Invited },
): Promise<{ isRedeemed: boolean; facts: RedeemFacts } | undefined> {
	const { wave, days, gapUntil } = invited;
	const expiresAt = expiryOf(invited);
	const now = isoOf(Date.now());
	// The code proves that the email was sent, by the end of the gap at the latest.
	if (expiresAt !== invited.expiresAt) {
		await tx.all(sql`INSERT INTO email
				(email_key, kind, wave, state, reason, asked_at, next_at, ended_at, expires_at, queue)
			SELECT email_key, 'invitation', ${wave}, 'unknown', 'assumed', ${gapUntil}, ${gapUntil},
				${gapUntil}, ${expiresAt}, 'unconfirmed'
			FROM registration WHERE email_key = ${key}
			ON CONFLICT (email_key, kind, wave) DO UPDATE SET expires_at = excluded.expires_at
			WHERE email.expires_at = ''`);
	}
	// An email that is on its way, or waits to be sent again, has no time yet.
	const sentAt = expiresAt && daysAfter(Date.parse(expiresAt), -days);
	// Of concurrent calls exactly one updates the row.
	const redeemed = await tx.all(sql`UPDATE email
		SET redeemed_at = ${now}, ended_at = CASE ended_at WHEN '' THEN ${sentAt} ELSE ended_at END
		WHERE email_key = ${key} AND kind = 'invitation' AND wave = ${wave} AND redeemed_at = ''
			AND expires_at > ${now}
			AND EXISTS (SELECT 1 FROM wave WHERE name = ${wave} AND state <> 'cancelled')
		RETURNING wave`);
	const isRedeemed = redeemed.length > 0;
	if (isRedeemed) await addEvents(tx, "redeemed", [key], now);
	const facts = await tx.first(sql<RedeemFacts>`SELECT registration.email, source,
			joined_at AS "joinedAt", confirmed_at AS "confirmedAt", ${SENT_AT} AS "invitedAt",
			redeemed_at AS "redeemedAt", wave.state AS "waveState"
		FROM email
		JOIN registration ON registration.email_key = email.email_key
		JOIN wave ON wave.name = email.wave
		WHERE email.email_key = ${key} AND email.kind = 'invitation' AND email.wave = ${wave}`);
	return facts && { isRedeemed, facts };
}

/** '' if the email was not sent. */
function expiryOf({ expiresAt, days, gapUntil }: Invited): string {
	if (expiresAt !== "" || gapUntil === "") return expiresAt;
	return daysAfter(Date.parse(gapUntil), days);
}
