import { daysAfter } from "../days.ts";
import { SENT_AT, type WaveState } from "../letters/wave.ts";
import { timestamp } from "../log.ts";
import type { Run, Statement } from "../waitlist/waitlist.ts";
import type { NotRedeemed, Redeemed } from "./client.ts";
import type { Codes } from "./code.ts";

/** What became of a code: whether it is right does not depend on how often anybody has guessed. */
export type Redemption = Redeemed | Exclude<NotRedeemed, { status: "limited" }>;

/** The waves that invited a person, and until when each code is good; '' before its letter is sent. */
const INVITED = `SELECT letter.wave, expires_at AS "expiresAt", valid_days AS days
	FROM letter JOIN wave ON wave.name = letter.wave
	WHERE email_key = $1 AND letter.kind = 'invitation'`;

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
}

/**
 * Redeems codes in the waitlist's database.
 *
 * @returns a function of the code as typed, and of the canonical address; "" is nobody's
 */
export function createRedeem(
	codes: Codes,
	run: Run,
): (code: string, key: string) => Promise<Redemption> {
	return async (code, key) => {
		const [invited] = (await run([{ sql: INVITED, parameters: [key] }])) as [Invited[]];
		// A code is made and compared also for nobody, so that the answer takes the same time.
		const waves = invited.length > 0 ? invited : [{ wave: "", expiresAt: "", days: 0 }];
		const right = waves.find(({ wave }) => codes.isCodeOf(code, { wave, key }));
		if (!right) return { status: "unknown" };
		const { wave } = right;
		const parameters = [key, wave];
		const statements: Statement[] = [
			{ sql: REDEEM, parameters: [...parameters, timestamp(), sentAt(right)] },
			{ sql: FACTS, parameters },
		];
		const [redeemed, [facts]] = (await run(statements)) as [object[], Facts[]];
		// Erased a moment ago.
		if (!facts) return { status: "unknown" };
		return redeemed.length > 0 ? redeemedOf(facts, wave) : reasonOf(facts);
	};
}

/** When the letter was taken from the outbox: a moment before it went out. */
function sentAt({ expiresAt, days }: Invited): string {
	return expiresAt && daysAfter(Date.parse(expiresAt), -days);
}

function redeemedOf(facts: Facts, wave: string): Redeemed {
	const { email, joinedAt, source, confirmedAt, invitedAt, redeemedAt } = facts;
	return {
		status: "redeemed",
		...{ email, joinedAt, source, confirmedAt: confirmedAt || null, invitedAt, redeemedAt, wave },
	};
}

function reasonOf({ redeemedAt, state }: Facts): Redemption {
	if (redeemedAt !== "") return { status: "used", redeemedAt };
	return { status: "gone", reason: state === "cancelled" ? "cancelled" : "expired" };
}
