import { type SharedDatabase, statement } from "../database/database.ts";
import { ASSUMED } from "../letters/letter.ts";
import { SENT_AT, type WaveState } from "../letters/wave.ts";
import { timestamp } from "../log.ts";
import { daysAfter } from "../time.ts";
import type { NotRedeemed, Redeemed } from "./client.ts";
import type { Codes } from "./code.ts";

/** What became of a code: whether it is right does not depend on how often anybody has guessed. */
export type RedeemResult = Redeemed | Exclude<NotRedeemed, { status: "limited" }>;

/**
 * The waves that invited a person, and until when each code is good; '' before its letter is sent. A
 * list that was restored does not know all that was sent: there any wave may have invited them that
 * was asked for before the end of a gap.
 */
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
		${SENT_AT} AS "invitedAt", redeemed_at AS "redeemedAt", wave.state
	FROM letter
	JOIN registration ON registration.email_key = letter.email_key
	JOIN wave ON wave.name = letter.wave
	LEFT JOIN recipient ON recipient.email_key = letter.email_key
	WHERE ${ONE_LETTER}`;

interface Facts {
	email: string;
	source: string;
	joinedAt: string;
	confirmedAt: string | null;
	invitedAt: string;
	redeemedAt: string;
	state: WaveState;
}

interface Invited {
	wave: string;
	expiresAt: string;
	days: number;
	/** The latest moment of a gap that the wave was there in, ISO 8601; '' where there is none. */
	gapUntil: string;
}

/**
 * Redeems codes in the waitlist's database.
 *
 * @returns a function of the code as typed, and of the canonical address; "" is nobody's
 */
export function createRedeem(
	codes: Codes,
	{ query, run }: Omit<SharedDatabase, "dialect">,
): (code: string, key: string) => Promise<RedeemResult> {
	return async (code, key) => {
		const invited = await query<Invited>(INVITED, [key]);
		// A code is made and compared also for nobody, so that the answer takes the same time.
		const waves = invited.length > 0 ? invited : [NO_WAVE];
		const right = waves.find(({ wave }) => codes.isCodeOf(code, { wave, key }));
		if (!right) return { status: "unknown" };
		const { wave } = right;
		const expiresAt = expiryOf(right);
		const isProved = expiresAt !== right.expiresAt;
		const {
			redeemed,
			facts: [facts],
		} = await run({
			proved: isProved ? [statement(PROVE, key, wave, right.gapUntil, expiresAt)] : [],
			redeemed: statement(REDEEM, key, wave, timestamp(), sentAt({ ...right, expiresAt })),
			facts: statement<Facts>(FACTS, key, wave),
		});
		// Erased a moment ago.
		if (!facts) return { status: "unknown" };
		return redeemed.length > 0 ? redeemedOf(facts, wave) : reasonOf(facts);
	};
}

const NO_WAVE: Invited = { wave: "", expiresAt: "", days: 0, gapUntil: "" };

/** Until when a code is good; '' where its letter was not sent. */
function expiryOf({ expiresAt, days, gapUntil }: Invited): string {
	if (expiresAt !== "" || gapUntil === "") return expiresAt;
	return daysAfter(Date.parse(gapUntil), days);
}

/** When the letter was taken from the outbox: a moment before it went out. */
function sentAt({ expiresAt, days }: Pick<Invited, "expiresAt" | "days">): string {
	return expiresAt && daysAfter(Date.parse(expiresAt), -days);
}

function redeemedOf(facts: Facts, wave: string): Redeemed {
	const { email, joinedAt, source, confirmedAt, invitedAt, redeemedAt } = facts;
	return {
		status: "redeemed",
		...{ email, joinedAt, source, confirmedAt: confirmedAt || null, invitedAt, redeemedAt, wave },
	};
}

function reasonOf({ redeemedAt, state }: Facts): RedeemResult {
	if (redeemedAt !== "") return { status: "used", redeemedAt };
	return { status: "gone", reason: state === "cancelled" ? "cancelled" : "expired" };
}
