import { SENT_AT, type WaveState } from "../letters/wave.ts";
import { timestamp } from "../log.ts";
import type { Run, Statement } from "../waitlist/waitlist.ts";
import type { NotRedeemed, Redeemed } from "./client.ts";
import type { Codes } from "./code.ts";

/** What became of a code: whether it is right does not depend on how often anybody has guessed. */
export type Redemption = Redeemed | Exclude<NotRedeemed, { status: "limited" }>;

/** The waves that invited a person. */
const INVITED = "SELECT wave FROM letter WHERE email_key = $1 AND kind = 'invitation'";

const ONE_LETTER = "letter.email_key = $1 AND letter.kind = 'invitation' AND letter.wave = $2";

/** Of any number that run at the same time one changes the row: the others wait, and look again. */
const REDEEM = `UPDATE letter SET redeemed_at = $3
	WHERE ${ONE_LETTER} AND redeemed_at = '' AND expires_at > $3
		AND EXISTS (SELECT 1 FROM wave WHERE name = letter.wave AND state <> 'cancelled')
	RETURNING wave`;

const FACTS = `SELECT email, source, created_at AS "joinedAt", confirmed_at AS "confirmedAt",
		${SENT_AT} AS "sentAt", expires_at AS "expiresAt", redeemed_at AS "redeemedAt", wave.state,
		valid_days AS days
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
	sentAt: string;
	expiresAt: string;
	redeemedAt: string;
	state: WaveState;
	days: number;
}

const DAY_MS = 86_400_000;

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
		const [invited] = (await run([{ sql: INVITED, parameters: [key] }])) as [{ wave: string }[]];
		// A code is made and compared also for nobody, so that the answer takes the same time.
		const waves = invited.length > 0 ? invited : [{ wave: "" }];
		const right = waves.find(({ wave }) => codes.isCodeOf(code, { wave, key }));
		if (!right) return { status: "unknown" };
		const { wave } = right;
		const parameters = [key, wave];
		const statements: Statement[] = [
			{ sql: REDEEM, parameters: [...parameters, timestamp()] },
			{ sql: FACTS, parameters },
		];
		const [redeemed, [facts]] = (await run(statements)) as [object[], Facts[]];
		// Erased a moment ago.
		if (!facts) return { status: "unknown" };
		return redeemed.length > 0 ? redeemedOf(facts, wave) : reasonOf(facts);
	};
}

function redeemedOf(facts: Facts, wave: string): Redeemed {
	const { email, joinedAt, source, confirmedAt, sentAt, expiresAt, redeemedAt, days } = facts;
	// The person was faster than the sender, which knows the same but for a moment.
	const takenAt = () => new Date(Date.parse(expiresAt) - days * DAY_MS).toISOString();
	return {
		status: "redeemed",
		...{ email, joinedAt, source, confirmedAt: confirmedAt || null },
		...{ invitedAt: sentAt || takenAt(), redeemedAt, wave },
	};
}

function reasonOf({ redeemedAt, state }: Facts): Redemption {
	if (redeemedAt !== "") return { status: "used", redeemedAt };
	return { status: "gone", reason: state === "cancelled" ? "cancelled" : "expired" };
}
