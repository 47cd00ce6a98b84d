import { type Dialect, keysAsJson, ofPeople } from "../../database/dialect.ts";
import { isAnyRow } from "../../database/rows.ts";
import { keysIn, sql } from "../../database/sql.ts";
import type { Query } from "../../database/statement.ts";
import type { EmailRow } from "./email.ts";

/** Whether there is any email. */
export const hasEmails = (query: Query) => isAnyRow(query, "email");

/** The emails of people, in the order of kind and wave. */
export function emailsOf(
	query: Query,
	dialect: Dialect,
	keys: readonly string[],
): Promise<EmailRow[]> {
	return query(
		`SELECT email_key AS "key", kind, wave, id, state, held, version, asked_at AS "askedAt", asks,
			next_at AS "nextAt", attempts, claim, lease_until AS "leaseUntil", ended_at AS "endedAt", code,
			expires_at AS "expiresAt", redeemed_at AS "redeemedAt", queue, reason
		FROM email WHERE ${ofPeople(dialect)} ORDER BY kind, wave`,
		[keysAsJson(keys)],
	);
}

/** Ends the emails to people who have unsubscribed, as a copy brings both in. */
export const refuseOfLeft = (dialect: Dialect, keys: readonly string[], now: Date) =>
	sql`UPDATE email SET state = 'refused', reason = 'left', held = 0, ended_at = ${now.toISOString()}
		WHERE state IN ('waiting', 'deferred') AND email_key IN ${keysIn({ dialect }, keys)} AND EXISTS (
			SELECT 1 FROM registration WHERE registration.email_key = email.email_key
				AND (unsubscribed_at >= email.asked_at OR (email.held <> 0 AND unsubscribed_at <> ''))
		)`;
