import type { Tx } from "../../database/transaction.ts";
import { timestamp } from "../../log.ts";
import { daysAfter } from "../../time.ts";
import { addEvents } from "../../webhooks/event.ts";
import { proveInvitation, redeem } from "./letter-changes.ts";
import { type Invited, type RedeemFacts, readInvitation } from "./letters.ts";

/**
 * Redeems the invitation of a person whose code is right, once, unless it has expired or its wave was
 * cancelled.
 *
 * @param invited the wave of the code
 * @returns whether it was redeemed by this; undefined when the person was erased a moment ago
 */
export async function redeemInvitation(
	tx: Tx,
	{ key, invited }: { key: string; invited: Invited },
): Promise<{ isRedeemed: boolean; facts: RedeemFacts } | undefined> {
	const { wave, days, gapUntil } = invited;
	const expiresAt = expiryOf(invited);
	const now = timestamp();
	if (expiresAt !== invited.expiresAt) {
		await tx.all(proveInvitation(key, wave, gapUntil, expiresAt));
	}
	// When the letter was taken from the outbox: a moment before it went out.
	const sentAt = expiresAt && daysAfter(Date.parse(expiresAt), -days);
	const isRedeemed = (await tx.all(redeem(key, wave, now, sentAt))).length > 0;
	if (isRedeemed) await addEvents(tx, "redeemed", [key], now);
	const facts = await tx.first(readInvitation(key, wave));
	return facts && { isRedeemed, facts };
}

/** Until when a code is good; '' where its letter was not sent. */
function expiryOf({ expiresAt, days, gapUntil }: Invited): string {
	if (expiresAt !== "" || gapUntil === "") return expiresAt;
	return daysAfter(Date.parse(gapUntil), days);
}
