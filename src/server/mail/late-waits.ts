import { sql } from "../database/sql.ts";
import type { Tx } from "../database/transaction.ts";
import { DAY_MS, isoOf, latestCredible } from "../time.ts";
import { LEASE_MS } from "./claim-emails.ts";
import { lockOutbox, saveOutbox } from "./rate/outbox-row.ts";
import { LONGEST_PAUSE_MS } from "./rate/pauses.ts";

/**
 * Ends what waits longer than anything can: a clock that was ahead wrote these times. It runs as a server
 * starts. Emails of a wave wait for its beginning, whenever that is.
 */
export async function endLateWaits(tx: Tx, now: number): Promise<void> {
	const latest = (longestMs: number) => latestCredible(new Date(now + longestMs));
	const outbox = await lockOutbox(tx);
	const isPausedLong = outbox.cause !== "operator" && outbox.pausedUntil > latest(LONGEST_PAUSE_MS);
	await saveOutbox(tx, {
		...outbox,
		pausedUntil: isPausedLong ? isoOf(now) : outbox.pausedUntil,
		releasedAt: outbox.releasedAt > latest(0) ? isoOf(now) : outbox.releasedAt,
		steppedAt: outbox.steppedAt > latest(0) ? isoOf(now) : outbox.steppedAt,
	});
	await tx.all(sql`UPDATE email SET next_at = ${isoOf(now)}
		WHERE queue = 'requested' AND held = 0 AND state IN ('waiting', 'deferred')
			AND next_at > ${latest(LONGEST_PAUSE_MS)} AND attempts <= 3`);
	await tx.all(sql`UPDATE email SET next_at = ${isoOf(now)}
		WHERE state = 'deferred' AND next_at > ${latest(4 * DAY_MS)}`);
	await tx.all(sql`UPDATE email SET lease_until = ${isoOf(now)}
		WHERE state = 'sending' AND lease_until > ${latest(LEASE_MS)}`);
}
