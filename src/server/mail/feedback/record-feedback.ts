import { canonicalizeEmail } from "#shared/email.ts";
import { keysOf, rowsSql, runEach, type Statement, sql, type Tx } from "../../database/sql.ts";
import { clearBounceColumns, markBounced } from "../../registrations/facts.ts";
import { asciiDomain } from "../../text/ascii-domain.ts";
import { isoOf } from "../../time.ts";
import { addEvents } from "../../webhooks/event.ts";
import type { EmailRow } from "../emails/email.ts";
import { EMAIL_STREAMS, emailStreamOf, lockOutbox, saveOutbox } from "../rate/outbox-state.ts";
import { adjustThrottles } from "../rate/throttle.ts";
import { isAppleRelay } from "../smtp/smtp-outcome.ts";
import type { Feedback } from "./providers.ts";

/** Records feedback. Skips people who confirmed after the provider reported them. */
export async function recordFeedback(
	tx: Tx,
	{ feedback, now }: { feedback: readonly Feedback[]; now: Date },
) {
	const outbox = await lockOutbox(tx);
	const rows = feedback.map(({ emailId = "", address }, n) => [n, emailId, keyOf(address)]);
	const found = (await findEmails(tx, rows))
		.map((email) => ({ ...email, ...feedback[email.n]! }))
		.filter(({ confirmedAt, at }) => confirmedAt < timeOf(at, now));
	const ours = found.filter(({ kind }) => kind !== "refusal");
	for (const { kind, id, status } of ours) {
		if (kind === "bounce") await recordBounce(tx, id, `later ${status}`, now.toISOString());
		else {
			await tx.all(sql`UPDATE email SET state = 'accepted', reason = 'complaint'
				WHERE id = ${id} AND id <> '' AND state IN ('accepted', 'unknown')`);
		}
	}
	const streams = [...new Set(ours.map(({ queue }) => emailStreamOf(queue)))];
	const judged = await adjustThrottles(tx, outbox, streams, now.getTime());
	await saveOutbox(tx, judged.outbox);
	const of = (kind: Feedback["kind"]) => found.filter((one) => one.kind === kind);
	return {
		speeds: judged.speeds,
		complained: keysOf(of("complaint")),
		refusals: of("refusal").map(({ status }) => status),
	};
}

/** Returns the canonical address, or ''. Some providers send `Name <address>`. */
function keyOf(email: string): string {
	const [, address = email] = /<([^<>]*)>\s*$/.exec(email) ?? [];
	const checked = canonicalizeEmail(address, asciiDomain);
	return "key" in checked ? checked.key : "";
}

const timeOf = (at: number, now: Date) =>
	isoOf(Math.min(Number.isNaN(new Date(at).getTime()) ? now.getTime() : at, now.getTime()));

type ReportedEmail = Pick<EmailRow, "id" | "key" | "queue"> & { n: number; confirmedAt: string };

/** Finds emails by the id in the feedback, or else the last email sent to the address. */
const findEmails = (tx: Tx, rows: readonly (readonly (number | string)[])[]) =>
	tx.all(sql<ReportedEmail>`SELECT CAST(value->>0 AS INTEGER) AS n, email.id, email.email_key AS "key", queue,
			confirmed_at AS "confirmedAt"
		FROM ${rowsSql(rows)}
		JOIN email ON email.id <> '' AND email.id = COALESCE(
			(SELECT id FROM email WHERE id = value->>1 AND id <> ''),
			(SELECT id FROM email WHERE email_key = value->>2 AND id <> '' AND (
					state IN ('sending', 'accepted', 'unknown')
					OR (state = 'refused' AND reason = 'bounced' AND code LIKE 'later %'))
				ORDER BY CASE state WHEN 'sending' THEN 1 ELSE 0 END DESC, ended_at DESC LIMIT 1))
		JOIN registration ON registration.email_key = email.email_key`);

export async function recordBounce(tx: Tx, id: string, code: string, now: string): Promise<void> {
	// Ignores a repeated report, even after the founder cleared the bounce.
	const email = await tx.first(sql<{ key: string }>`SELECT email_key AS "key" FROM email
		WHERE id = ${id} AND id <> '' AND NOT (reason = 'bounced' AND code = ${code})`);
	if (!email || isAppleRelay(email.key)) return;
	await tx.all(sql`UPDATE email SET state = 'refused', code = ${code}, reason = 'bounced'
		WHERE email_key = ${email.key} AND (id = ${id} OR state IN ('waiting', 'deferred'))`);
	await markBounced(tx, email.key, now, code);
	await addEvents(tx, "bounced", [email.key], now);
}

export async function clearBounces(
	tx: Tx,
	{ keys, now, also }: { keys: readonly string[]; now: Date; also: readonly Statement[] },
): Promise<string[]> {
	const outbox = await lockOutbox(tx);
	const changed = await clearBounceColumns(tx, keys);
	if (changed.length === 0) return [];
	await runEach(tx, also);
	const judged = await adjustThrottles(tx, outbox, EMAIL_STREAMS, now.getTime());
	await saveOutbox(tx, judged.outbox);
	return keysOf(changed);
}
