import { keysIn, keysOf, sql, type Tx } from "../database/sql.ts";
import { mailboxOf } from "../registrations/mailbox.ts";
import { DAY_MS, isoOf } from "../time.ts";
import type { Reason } from "./emails/email.ts";

/** How many emails to unconfirmed people one mailbox gets in {@link PERIOD_MS}. */
export const MOST_EMAILS = 3;

export const PERIOD_MS = DAY_MS;

/**
 * Why emails to unconfirmed people are not sent, in their order; "" if they are. Strangers can type
 * `victim+1@`, `victim+2@`, … into the form, so that all go to one mailbox. Each email counts with all requests
 * for it, and once however often it is attempted. Once one spelling of a mailbox has unsubscribed, the others
 * get nothing but a link to unsubscribe.
 */
export async function overMailboxLimit(
	tx: Tx,
	emails: readonly { key: string; kind: string; attempts: number }[],
	ms: number,
): Promise<(Reason | "")[]> {
	if (emails.length === 0) return [];
	const mailboxes = keysIn(new Set(emails.map(({ key }) => mailboxOf(key))));
	const people = await tx.all(sql<{ key: string; unsubscribedAt: string }>`
		SELECT email_key AS "key", unsubscribed_at AS "unsubscribedAt"
		FROM registration WHERE email_key IN ${mailboxes}
		UNION ALL
		SELECT email_key, unsubscribed_at
		FROM registration WHERE mailbox <> '' AND mailbox IN ${mailboxes}`);
	const requested = await tx.all(
		sql<{ key: string; asks: number; attempts: number; reason: string }>`
		SELECT email_key AS "key", asks, attempts, reason FROM email
		WHERE (wave = '' OR (queue = 'unconfirmed' AND attempts > 0))
			AND (ended_at = '' OR ended_at > ${isoOf(ms - PERIOD_MS)})
			AND email_key IN ${keysIn(keysOf(people))}`,
	);
	const left = people.filter(({ unsubscribedAt }) => unsubscribedAt !== "");
	const unsubscribed = new Set(left.map(({ key }) => mailboxOf(key)));
	const sent = new Map<string, number>();
	const sentTo = (key: string) => sent.get(mailboxOf(key)) ?? 0;
	const add = (key: string, count: number) => sent.set(mailboxOf(key), sentTo(key) + count);
	for (const { key, asks, attempts, reason } of requested) {
		// The last request for an email that was not attempted is decided now.
		add(key, attempts > 0 || reason === "limited" ? asks : asks - 1);
	}
	return emails.map(({ key, kind, attempts }) => {
		if (kind !== "unsubscribe" && unsubscribed.has(mailboxOf(key))) return "left";
		if (attempts > 0) return "";
		if (sentTo(key) >= MOST_EMAILS) return "limited";
		add(key, 1);
		return "";
	});
}
