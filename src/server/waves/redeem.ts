import type { SharedDatabase } from "../database/database.ts";
import {
	type Invited,
	type RedeemFacts,
	redeemInvitation,
	wavesThatInvited,
} from "../mail/emails/redeeming.ts";
import type { NotRedeemed, Redeemed } from "./client.ts";
import type { Codes } from "./code.ts";

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
		const invited = await wavesThatInvited(database.query, key);
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
