import { randomBytes } from "node:crypto";
import { keysOf, keysSql, rowsSql, type Statement, sql, type Tx } from "../database/sql.ts";
import { MAILING_STATUS_SQL, type MailingStatus } from "../registrations/facts.ts";
import { findMailboxSharers, mailboxOf } from "../registrations/mailbox.ts";
import { DAY_MS, daysAfter, isoOf, MINUTE_MS } from "../time.ts";
import {
	type ClaimedEmail,
	type EmailRow,
	IS_INVITATION_SQL,
	isRequestedEmailKind,
	reasonNotToSend,
} from "./emails/email.ts";
import { type EmailQueue, emailStreamOf, sendableEmailsSql } from "./rate/outbox-state.ts";
import type { roomForEmails } from "./rate/sending-rate.ts";
import { addressOwnerOf } from "./rate/throttle.ts";
import type { Wave } from "./waves.ts";

/** A claimed email without an outcome counts as unknown after this time. An attempt takes up to two minutes. */
export const LEASE_MS = 5 * MINUTE_MS;

const PROBES = 50;

interface Claim {
	now: number;
	room: ReturnType<typeof roomForEmails>;
	suspects: readonly string[];
}

/** Claims wave emails up to their reserved share, then requested emails, then the remaining wave emails. */
export async function claimEmails(tx: Tx, claim: Claim) {
	const { room, suspects } = claim;
	const now = isoOf(claim.now);
	const emails: ClaimedEmail[] = [];
	let refused = 0;
	let confirmedDue = true;

	async function claimFrom(queue: EmailQueue, atMost: number): Promise<void> {
		const stream = emailStreamOf(queue);
		const used = emails.filter((email) => email.stream === stream).length;
		const count = Math.min(atMost, room.total - emails.length, room[stream] - used);
		if (count <= 0) return;
		const most = room.probing ? PROBES : count;
		const due = await readDueEmails(tx, queue, { now, most });
		if (queue === "confirmed") confirmedDue = due.length === most;
		const chosen = room.probing ? probeAmong(due, suspects) : due;
		const claimed = await decide(tx, chosen, claim);
		refused += chosen.length - claimed.length;
		emails.push(...claimed.map((email) => ({ ...email, stream })));
	}

	await claimFrom("confirmed", room.waves);
	await claimFrom("unconfirmed", room.waves - emails.length);
	await claimFrom("requested", room.total);
	await claimFrom("confirmed", room.total);
	await claimFrom("unconfirmed", room.total);
	confirmedDue &&=
		room.total > 0 && (await readDueEmails(tx, "confirmed", { now, most: 1 })).length > 0;
	return { emails, refused, confirmedDue };
}

/**
 * Chooses the email most likely to be accepted, to test the mail server: if possible, a first attempt, to a mailbox
 * or domain that refused none of the last emails.
 */
function probeAmong(due: readonly DueEmail[], suspects: readonly string[]): DueEmail[] {
	const unsuspected = due.filter(({ key }) => !suspects.includes(addressOwnerOf(key)));
	const fresh = unsuspected.find(({ attempts }) => attempts === 0);
	return [fresh ?? unsuspected[0] ?? due[0] ?? []].flat();
}

async function decide(tx: Tx, due: readonly DueEmail[], { now }: Claim) {
	const limited = due.filter(
		({ kind, confirmedAt }) => isRequestedEmailKind(kind) || confirmedAt === "",
	);
	const over = await overMailboxLimit(tx, limited, now);
	const sent: (DueEmail & { expiresAt: string })[] = [];
	const invited = new Set<string>();
	const refused: string[][] = [];
	for (const row of due) {
		const isInvited = row.invited === 1 || invited.has(row.key);
		const reason = reasonNotToSend(row, { ...row, isInvited }) || over.get(row) || "";
		if (row.kind === "invitation" && reason === "") invited.add(row.key);
		if (reason !== "") refused.push([row.key, row.kind, row.wave, reason]);
		else {
			const expiresAt = row.waveKind === "invitation" ? daysAfter(now, row.validDays!) : "";
			const id = row.id || randomBytes(16).toString("hex");
			sent.push({ ...row, id, expiresAt, attempts: row.attempts + 1 });
		}
	}
	if (refused.length > 0) {
		// `ended_at` stays empty, which keeps these emails out of bounce rates.
		await tx.all(sql`UPDATE email SET state = 'refused', reason = value->>3,
				asks = CASE WHEN value->>3 = 'limited' AND wave = '' THEN asks - 1 ELSE asks END
			FROM ${rowsSql(refused)}
			WHERE email_key = value->>0 AND kind = value->>1 AND wave = value->>2`);
	}
	if (sent.length === 0) return [];
	const rows = sent.map((one) => [one.key, one.kind, one.wave, one.id, one.expiresAt]);
	await tx.all(sql`UPDATE email
		SET state = 'sending', lease_until = ${isoOf(now + LEASE_MS)},
			attempts = attempts + 1, id = value->>3, expires_at = value->>4
		FROM ${rowsSql(rows)}
		WHERE email_key = value->>0 AND kind = value->>1 AND wave = value->>2`);
	return sent;
}

interface DueEmail extends MailingStatus, Omit<ClaimedEmail, "expiresAt" | "stream"> {
	redeemedAt: string;
	/** Null if requested by a visitor. */
	waveKind: Wave["kind"] | null;
	waveState: Wave["state"] | null;
	validDays: number | null;
	/** 1 if another wave has invited the person. */
	invited: number;
}

export function readDueEmails(
	tx: Tx,
	queue: EmailQueue,
	{ now, most }: { now: string; most: number },
): Promise<DueEmail[]> {
	return tx.all(sql<DueEmail>`SELECT due.email_key AS "key", due.kind, due.wave, due.id, due.attempts,
			due.asked_at AS "queuedAt", due.redeemed_at AS "redeemedAt",
			registration.email, registration.id AS recipient, ${MAILING_STATUS_SQL},
			wave.kind AS "waveKind", wave.state AS "waveState", valid_days AS "validDays",
			COALESCE(subject, '') AS subject, COALESCE(message, '') AS message,
			CASE WHEN EXISTS (
				SELECT 1 FROM email WHERE email.email_key = due.email_key AND email.wave <> due.wave
					AND ${IS_INVITATION_SQL} AND email.expires_at <> ''
			) THEN 1 ELSE 0 END AS invited
		FROM (
			SELECT * FROM email
			WHERE ${sendableEmailsSql(queue)} AND next_at <= ${now}
				AND wave NOT IN (SELECT name FROM wave WHERE state = 'paused')
			ORDER BY next_at LIMIT ${most} FOR UPDATE SKIP LOCKED
		) AS due
		JOIN registration ON registration.email_key = due.email_key
		LEFT JOIN wave ON wave.name = due.wave
		ORDER BY next_at`);
}
const MOST_EMAILS = 3;

/**
 * Returns emails that must not be sent, with reasons. The limit is per mailbox, because strangers can join as
 * `victim+1@`, `victim+2@`, ….
 */
async function overMailboxLimit(
	tx: Tx,
	emails: readonly DueEmail[],
	now: number,
): Promise<Map<DueEmail, EmailRow["reason"]>> {
	const over = new Map<DueEmail, EmailRow["reason"]>();
	if (emails.length === 0) return over;
	const people = await findMailboxSharers(tx, keysOf(emails));
	type Requested = Pick<EmailRow, "key" | "asks" | "attempts" | "reason">;
	const requested = await tx.all(sql<Requested>`
		SELECT email_key AS "key", asks, attempts, reason FROM email
		WHERE (wave = '' OR (queue = 'unconfirmed' AND attempts > 0))
			AND (ended_at = '' OR ended_at > ${isoOf(now - DAY_MS)})
			AND email_key IN ${keysSql(keysOf(people))}`);
	const left = people.filter(({ unsubscribedAt }) => unsubscribedAt !== "");
	const unsubscribed = new Set(left.map(({ key }) => mailboxOf(key)));
	const sent = new Map<string, number>();
	const sentTo = (key: string) => sent.get(mailboxOf(key)) ?? 0;
	const add = (key: string, count: number) => sent.set(mailboxOf(key), sentTo(key) + count);
	for (const { key, asks, attempts, reason } of requested) {
		// `asks` counts all requests except those refused as limited. Leaves out the latest one if it has no attempt
		// yet: the loop below counts it.
		add(key, attempts > 0 || reason === "limited" ? asks : asks - 1);
	}
	for (const email of emails) {
		const { key, kind, attempts } = email;
		if (kind !== "unsubscribe" && unsubscribed.has(mailboxOf(key))) over.set(email, "unsubscribed");
		else if (attempts > 0) continue;
		else if (sentTo(key) >= MOST_EMAILS) over.set(email, "limited");
		else add(key, 1);
	}
	return over;
}

export const refuseEmailsToUnsubscribed = (which: Statement, now: string) =>
	sql`UPDATE email SET state = 'refused', reason = 'unsubscribed', held = 0, ended_at = ${now}
		WHERE state IN ('waiting', 'deferred') AND ${which} AND EXISTS (
			SELECT 1 FROM registration WHERE registration.email_key = email.email_key
				AND unsubscribed_at >= email.asked_at
		)`;
