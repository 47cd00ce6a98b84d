import { sql } from "../database/sql.ts";
import type { Tx } from "../database/transaction.ts";
import { isoOf } from "../time.ts";
import { addEvents } from "../webhooks/event.ts";
import type { EmailAttempt } from "./emails/email.ts";
import { recordBounce } from "./feedback/record-feedback.ts";

/** Records outcomes. Once an address bounces, its queued emails are refused. */
export async function recordDeliveries(
	tx: Tx,
	attempts: readonly EmailAttempt[],
	now: string,
): Promise<void> {
	const invited: string[] = [];
	for (const one of attempts) {
		const recorded = await recordAttempt(tx, one, now);
		if (one.nextAt !== undefined) await refuseUnsubscribed(tx, one.id, now);
		if (one.bounced) await recordBounce(tx, one.id, one.code, now);
		if (one.state === "accepted" && recorded?.kind === "invitation") invited.push(recorded.key);
	}
	await addEvents(tx, "invited", invited, now);
}

/** An outcome may come after the lease has ended. An attempt that ends in waiting does not count. */
function recordAttempt(tx: Tx, { id, state, nextAt, code, version }: EmailAttempt, now: string) {
	const isOver = nextAt === undefined;
	const isUncounted = state === "waiting" ? 1 : 0;
	return tx.first(sql<{ key: string; kind: string }>`UPDATE email
		SET state = ${state}, next_at = ${isOver ? now : isoOf(nextAt)}, ended_at = ${isOver ? now : ""},
			code = ${code}, reason = '', version = ${version}, lease_until = '', claim = '',
			attempts = attempts - CAST(${isUncounted} AS INT)
		WHERE id = ${id} AND id <> ''
			AND (state IN ('sending', 'unknown') OR (state = 'deferred' AND CAST(${isUncounted} AS INT) = 1))
		RETURNING email_key AS "key", kind`);
}

/** Ends an email whose person unsubscribed while it was being sent. */
const refuseUnsubscribed = (tx: Tx, id: string, now: string) =>
	tx.all(sql`UPDATE email SET state = 'refused', reason = 'left', held = 0, ended_at = ${now}
		WHERE id = ${id} AND id <> '' AND state IN ('waiting', 'deferred') AND EXISTS (
			SELECT 1 FROM registration
			WHERE registration.email_key = email.email_key AND unsubscribed_at >= email.asked_at
		)`);
