import { keysIn, sql } from "../database/sql.ts";
import type { Tx } from "../database/transaction.ts";
import { mailboxOf } from "../registrations/mailbox.ts";
import { DAY_MS, isoOf } from "../time.ts";
import type { DueEmail } from "./due-emails.ts";
import type { Reason } from "./emails/email.ts";

/** How many emails that anybody can request one mailbox gets in {@link PERIOD_MS}. */
export const MOST_EMAILS = 3;

export const PERIOD_MS = DAY_MS;

/**
 * The reasons why emails to unconfirmed people are not sent, in their order; "" where they are. Strangers can
 * write addresses into the form, so that `victim+1@`, `victim+2@`, … are one person's emails. Each counts with
 * all requests for it, and once however often it is tried. Once one spelling of a mailbox has unsubscribed, no
 * other one gets more than a link to unsubscribe.
 */
export async function overMailboxLimit(
	tx: Tx,
	emails: readonly DueEmail[],
	ms: number,
): Promise<(Reason | "")[]> {
	if (emails.length === 0) return [];
	const mailboxes = keysIn(new Set(emails.map(({ key }) => mailboxOf(key))));
	const people = await tx.all(sql<{ key: string; isUnsubscribed: number }>`
		SELECT email_key AS "key", CASE unsubscribed_at WHEN '' THEN 0 ELSE 1 END AS "isUnsubscribed"
		FROM registration WHERE email_key IN ${mailboxes}
		UNION ALL
		SELECT email_key, CASE unsubscribed_at WHEN '' THEN 0 ELSE 1 END
		FROM registration WHERE mailbox <> '' AND mailbox IN ${mailboxes}`);
	const requested = await tx.all(sql<{
		key: string;
		asks: number;
		attempts: number;
		reason: string;
	}>`
		SELECT email_key AS "key", asks, attempts, reason FROM email
		WHERE (wave = '' OR (queue = 'unconfirmed' AND attempts > 0))
			AND (ended_at = '' OR ended_at > ${isoOf(ms - PERIOD_MS)})
			AND email_key IN ${keysIn(people.map(({ key }) => key))}`);
	const unsubscribed = new Set(
		people.filter((one) => one.isUnsubscribed === 1).map(({ key }) => mailboxOf(key)),
	);
	const sent = new Map<string, number>();
	const add = (key: string, count: number) =>
		sent.set(mailboxOf(key), (sent.get(mailboxOf(key)) ?? 0) + count);
	// The last request for one that was not tried yet is still to be decided. One over the limit does not count.
	for (const { key, asks, attempts, reason } of requested) {
		add(key, attempts > 0 || reason === "limited" ? asks : asks - 1);
	}
	return emails.map(({ key, kind, attempts }) => {
		if (kind !== "unsubscribe" && unsubscribed.has(mailboxOf(key))) return "left";
		// It counted when it was first tried.
		if (attempts > 0) return "";
		if ((sent.get(mailboxOf(key)) ?? 0) >= MOST_EMAILS) return "limited";
		add(key, 1);
		return "";
	});
}
