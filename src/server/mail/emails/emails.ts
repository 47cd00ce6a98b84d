import { isAnyRow } from "../../database/rows.ts";
import { keysIn, sql } from "../../database/sql.ts";
import type { Tx } from "../../database/transaction.ts";
import type { EmailRow } from "./email.ts";

/** Whether there is any email. */
export const hasEmails = (tx: Tx) => isAnyRow(tx, sql`email`);

/** The emails of people, in the order of kind and wave. */
export function emailsOf(tx: Tx, keys: readonly string[]): Promise<EmailRow[]> {
	return tx.all(sql`SELECT email_key AS "key", kind, wave, id, state, held, version, asked_at AS "askedAt", asks,
			next_at AS "nextAt", attempts, claim, lease_until AS "leaseUntil", ended_at AS "endedAt", code,
			expires_at AS "expiresAt", redeemed_at AS "redeemedAt", queue, reason
		FROM email WHERE email_key IN ${keysIn(keys)} ORDER BY kind, wave`);
}

/** Ends the emails to people who have unsubscribed, as a copy brings both in. */
export const refuseOfLeft = (keys: readonly string[], now: Date) =>
	sql`UPDATE email SET state = 'refused', reason = 'left', held = 0, ended_at = ${now.toISOString()}
		WHERE state IN ('waiting', 'deferred') AND email_key IN ${keysIn(keys)} AND EXISTS (
			SELECT 1 FROM registration WHERE registration.email_key = email.email_key
				AND unsubscribed_at >= email.asked_at
		)`;
