import { keysIn, rowsIn, sql } from "../../database/sql.ts";
import type { Tx } from "../../database/transaction.ts";
import { addEvents } from "../../webhooks/event.ts";
import { lockOutbox, type Queue, saveOutbox, streamOf } from "../rate/outbox-row.ts";
import { judgeStreams, type SpeedChange } from "../rate/throttle.ts";
import { isAppleRelay } from "../smtp/smtp-outcome.ts";

export type EmailFeedback =
	/** The code is as in `later 5.1.1`: never the text of the reply, which may hold the address. */
	{ kind: "bounce"; id: string; code: string } | { kind: "complaint"; id: string };

/**
 * Records feedback: a person whose email bounced gets no further one, and a complaint stays with its
 * email. Unsubscribing its person is another transaction, which also adds to the suppression list.
 */
export async function recordFeedback(
	tx: Tx,
	{ feedback, now }: { feedback: readonly EmailFeedback[]; now: Date },
): Promise<{ found: number; speeds: SpeedChange[] }> {
	const outbox = await lockOutbox(tx);
	const found = await tx.all(sql<{ id: string; key: string; queue: Queue }>`
		SELECT id, email_key AS "key", queue FROM email
		WHERE id <> '' AND id IN ${keysIn(feedback.map(({ id }) => id))}`);
	const emails = new Map(found.map((email) => [email.id, email]));
	const ours = feedback.filter(({ id, kind }) => {
		const email = emails.get(id);
		return email && (kind === "complaint" || !isAppleRelay(email.key));
	});
	for (const one of ours) {
		if (one.kind === "complaint") await recordComplaint(tx, one.id);
		else await recordBounce(tx, one.id, one.code, now.toISOString());
	}
	const toJudge = [...new Set(ours.map(({ id }) => streamOf(emails.get(id)!.queue)))];
	const judged = await judgeStreams(tx, outbox, toJudge, now.getTime());
	await saveOutbox(tx, judged.outbox);
	return { found: ours.length, speeds: judged.speeds };
}

/** An email that was called spam has arrived. */
const recordComplaint = (tx: Tx, id: string) =>
	tx.all(sql`UPDATE email SET state = 'accepted', reason = 'complaint'
		WHERE id = ${id} AND id <> '' AND state IN ('accepted', 'unknown')`);

/**
 * Records that the person of an email has no mailbox, and refuses their emails that wait. Apple's relay
 * answers for nobody.
 */
export async function recordBounce(tx: Tx, id: string, code: string, now: string): Promise<void> {
	const email = await tx.first(sql<{ key: string }>`SELECT email_key AS "key" FROM email
		WHERE id = ${id} AND id <> ''`);
	if (!email || isAppleRelay(email.key)) return;
	await tx.all(sql`UPDATE email SET state = 'refused', code = ${code}, reason = 'bounced'
		WHERE email_key = ${email.key} AND (id = ${id} OR state IN ('waiting', 'deferred'))`);
	await tx.all(sql`UPDATE registration SET bounced_at = ${now}, bounce = ${code}
		WHERE email_key = ${email.key}`);
	await addEvents(tx, "bounced", [email.key], now);
}

interface Reported {
	n: number;
	id: string;
	key: string;
	confirmedAt: string;
}

/**
 * The emails of feedback: by the id that the provider gave back, otherwise the last one that went out to
 * the address.
 */
export const findReported = (
	tx: Tx,
	rows: readonly (readonly [n: number, id: string, key: string])[],
) =>
	tx.all(sql<Reported>`SELECT CAST(value->>0 AS INTEGER) AS n, email.id, email.email_key AS "key",
			confirmed_at AS "confirmedAt"
		FROM ${rowsIn(rows)}
		JOIN email ON email.id <> '' AND email.id = COALESCE(
			(SELECT id FROM email WHERE id = value->>1 AND id <> ''),
			(SELECT id FROM email WHERE email_key = value->>2 AND id <> '' AND (
					state IN ('sending', 'accepted', 'unknown')
					OR (state = 'refused' AND reason = 'bounced' AND code LIKE 'later %'))
				ORDER BY CASE state WHEN 'sending' THEN 1 ELSE 0 END DESC, ended_at DESC LIMIT 1))
		JOIN registration ON registration.email_key = email.email_key`);
