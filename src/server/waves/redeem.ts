import type { SharedDatabase } from "../database/database.ts";
import {
	type Invited,
	type RedeemFacts,
	redeemInvitation,
	wavesThatInvited,
} from "../mail/emails/redeeming.ts";
import type { Codes } from "./code.ts";

/** The person may come in. Times are ISO 8601 in UTC. */
export interface Redeemed {
	status: "redeemed";
	/** As it was typed when they joined: prefer it to what was typed now. */
	email: string;
	joinedAt: string;
	/** The label of the site that they joined at. */
	source: string;
	/** When they confirmed their address; null if they never did. */
	confirmedAt: string | null;
	/** When their email went out. */
	invitedAt: string;
	redeemedAt: string;
	wave: string;
}

/**
 * The person may not come in.
 *
 * - unknown: no such code, or it is another person's.
 * - used: it was redeemed before. If you asked at that time and lost the answer, it was you.
 * - gone: it has expired, or you took it back.
 * - limited: many wrong codes were tried, and this one is wrong as well. A right code is never limited.
 */
export type NotRedeemed =
	| { status: "unknown" }
	| { status: "used"; redeemedAt: string }
	| { status: "gone"; reason: "expired" | "cancelled" }
	| { status: "limited"; retryAfterSeconds: number };

/** What became of a code: whether it is right does not depend on how often anybody has guessed. */
export type RedeemResult = Redeemed | Exclude<NotRedeemed, { status: "limited" }>;

const NO_WAVE: Invited = { wave: "", expiresAt: "", days: 0, gapUntil: "" };

/**
 * Redeems codes in the waitlist's database.
 *
 * @returns a function of the code as typed, and of the canonical address; "" is nobody's
 */
export function createRedeem(
	codes: Codes,
	database: SharedDatabase,
): (code: string, key: string) => Promise<RedeemResult> {
	return async (code, key) => {
		const invited = await wavesThatInvited(database, key);
		// A code is made and compared also for nobody, so that the answer takes the same time.
		const waves = invited.length > 0 ? invited : [NO_WAVE];
		const right = waves.find(({ wave }) => codes.isCodeOf(code, { wave, key }));
		if (!right) return { status: "unknown" };
		const redeemed = await database.transact(redeemInvitation, { key, invited: right });
		if (!redeemed) return { status: "unknown" };
		return redeemed.isRedeemed ? redeemedOf(redeemed.facts, right.wave) : reasonOf(redeemed.facts);
	};
}

function redeemedOf(facts: RedeemFacts, wave: string): Redeemed {
	const { email, joinedAt, source, confirmedAt, invitedAt, redeemedAt } = facts;
	return {
		status: "redeemed",
		email,
		joinedAt,
		source,
		confirmedAt: confirmedAt || null,
		invitedAt,
		redeemedAt,
		wave,
	};
}

function reasonOf({ redeemedAt, waveState }: RedeemFacts): RedeemResult {
	if (redeemedAt !== "") return { status: "used", redeemedAt };
	return { status: "gone", reason: waveState === "cancelled" ? "cancelled" : "expired" };
}
