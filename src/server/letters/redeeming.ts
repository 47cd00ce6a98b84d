import { type Query, type SharedDatabase, statement } from "../database/database.ts";
import { timestamp } from "../log.ts";
import { daysAfter } from "../time.ts";
import { ASSUMED, SENT_AT } from "./letter.ts";
import type { WaveState } from "./wave/wave.ts";

/** A wave that invited a person, or may have. */
export interface Invited {
	wave: string;
	/** Until when the code is good, ISO 8601; '' before its letter is sent. */
	expiresAt: string;
	/** For how many days it is, from then on. */
	days: number;
	/** The latest moment of a gap that the wave was there in, ISO 8601; '' where there is none. */
	gapUntil: string;
}

/**
 * The waves that invited a person. A list that was restored does not know all that was sent: there any
 * wave may have invited them that was asked for before the end of a gap.
 *
 * @param key a canonical address; "" is nobody's
 */
export function wavesThatInvited(query: Query, key: string): Promise<Invited[]> {
	return query(INVITED, [key]);
}

const INVITED = `SELECT wave.name AS wave, COALESCE(expires_at, '') AS "expiresAt", valid_days AS days,
		COALESCE((SELECT max(until_at) FROM gap WHERE until_at > wave.asked_at), '') AS "gapUntil"
	FROM wave
	LEFT JOIN letter ON letter.email_key = $1 AND letter.kind = 'invitation' AND letter.wave = wave.name
	WHERE wave.kind = 'invitation' AND (letter.email_key IS NOT NULL
		OR EXISTS (SELECT 1 FROM gap WHERE until_at > wave.asked_at))`;

const ONE_LETTER = "letter.email_key = $1 AND letter.kind = 'invitation' AND letter.wave = $2";

/**
 * Of any number that run at the same time one changes the row: the others wait, and look again. The
 * letter has arrived, also where it is on its way, or waits to be sent again: so it has a time.
 */
const REDEEM = `UPDATE letter
	SET redeemed_at = $3, ended_at = CASE ended_at WHEN '' THEN $4 ELSE ended_at END
	WHERE ${ONE_LETTER} AND redeemed_at = '' AND expires_at > $3
		AND EXISTS (SELECT 1 FROM wave WHERE name = letter.wave AND state <> 'cancelled')
	RETURNING wave`;

/**
 * Adds a letter that went out in a gap, or says when its code expires: whoever holds the code proves
 * that it did. The latest moment at which it may have gone out counts. Whoever is not on the list any
 * more has to join again first.
 */
const PROVE = `INSERT INTO letter
		(email_key, kind, wave, state, code, asked_at, next_at, ended_at, expires_at)
	SELECT email_key, 'invitation', $2, 'unknown', '${ASSUMED}', $3, $3, $3, $4
	FROM registration WHERE email_key = $1
	ON CONFLICT (email_key, kind, wave) DO UPDATE SET expires_at = excluded.expires_at
	WHERE letter.expires_at = ''`;

const FACTS = `SELECT email, source, created_at AS "joinedAt", confirmed_at AS "confirmedAt",
		${SENT_AT} AS "invitedAt", redeemed_at AS "redeemedAt", wave.state AS "waveState"
	FROM letter
	JOIN registration ON registration.email_key = letter.email_key
	JOIN wave ON wave.name = letter.wave
	LEFT JOIN recipient ON recipient.email_key = letter.email_key
	WHERE ${ONE_LETTER}`;

/** An invitation and its person. Times are ISO 8601. */
export interface RedeemFacts {
	email: string;
	source: string;
	joinedAt: string;
	/** Null or '' where they have not. */
	confirmedAt: string | null;
	invitedAt: string;
	/** When the code was redeemed, now or before; '' where it was not. */
	redeemedAt: string;
	waveState: WaveState;
}

/**
 * Redeems the invitation of a person whose code is right, once, unless it has expired or its wave was
 * cancelled.
 *
 * @param invited the wave of the code
 * @returns whether it was redeemed by this; undefined when the person was erased a moment ago
 */
export async function redeemInvitation(
	{ run }: Pick<SharedDatabase, "run">,
	key: string,
	invited: Invited,
): Promise<{ isRedeemed: boolean; facts: RedeemFacts } | undefined> {
	const { wave, days, gapUntil } = invited;
	const expiresAt = expiryOf(invited);
	const isProved = expiresAt !== invited.expiresAt;
	// When the letter was taken from the outbox: a moment before it went out.
	const sentAt = expiresAt && daysAfter(Date.parse(expiresAt), -days);
	const {
		redeemed,
		facts: [facts],
	} = await run({
		proved: isProved ? [statement(PROVE, key, wave, gapUntil, expiresAt)] : [],
		redeemed: statement(REDEEM, key, wave, timestamp(), sentAt),
		facts: statement<RedeemFacts>(FACTS, key, wave),
	});
	return facts && { isRedeemed: redeemed.length > 0, facts };
}

/** Until when a code is good; '' where its letter was not sent. */
function expiryOf({ expiresAt, days, gapUntil }: Invited): string {
	if (expiresAt !== "" || gapUntil === "") return expiresAt;
	return daysAfter(Date.parse(gapUntil), days);
}
