import type { Dialect } from "../../database/dialect.ts";
import { ask, type Query } from "../../database/statement.ts";
import { daysAfter } from "../../time.ts";
import { VALID_DAYS } from "../wave/wave.ts";
import { addWavesOf } from "../wave/waves.ts";
import { addGap } from "./gaps.ts";
import type { LetterRow } from "./letter.ts";
import { insertInvitations, redeemAll } from "./letter-changes.ts";
import type { KnownInvitation } from "./letters.ts";

/**
 * Adds invitations from an export, with the waves that are missing. The list that it was written from
 * may have sent letters since: that is a gap, and an invitation that was still to be sent is unknown.
 * Whoever has one here keeps it, but a code that was redeemed there is redeemed.
 *
 * @returns how many were added of which nobody knows whether they went out
 */
export async function addInvitations(
	query: Query,
	dialect: Dialect,
	invitations: readonly KnownInvitation[],
	now: Date,
): Promise<number> {
	if (invitations.length === 0) return 0;
	const expiresNow = daysAfter(now.getTime(), VALID_DAYS);
	const assumed: LetterRow["reason"] = "assumed";
	const all = invitations.map(({ key, wave, invitedAt, unknownAt, expiresAt, redeemedAt }) => {
		const sentAt = invitedAt || unknownAt;
		if (sentAt === "") {
			return [key, wave, now.toISOString(), expiresNow, redeemedAt, "unknown", assumed];
		}
		const state = invitedAt === "" && redeemedAt === "" ? "unknown" : "accepted";
		return [key, wave, sentAt, expiresAt, redeemedAt, state, ""];
	});
	const rows = JSON.stringify(all);
	// Takes the first of several lines of one person.
	const firsts = [...new Map(all.toReversed().map((row) => [row[0], row])).values()];
	await ask(query, addWavesOf(dialect, rows, now));
	const added = await ask(query, insertInvitations(dialect, JSON.stringify(firsts)));
	await ask(query, redeemAll(dialect, rows));
	if (added.length > 0) {
		const sent = invitations.map(({ invitedAt, unknownAt }) => invitedAt || unknownAt);
		await addGap({ query }, { from: sent.sort().at(-1)!, until: now.toISOString() });
	}
	return added.filter(({ state }) => state === "unknown").length;
}
