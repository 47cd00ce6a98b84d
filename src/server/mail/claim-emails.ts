import { randomBytes } from "node:crypto";
import { rowsIn, sql } from "../database/sql.ts";
import type { Tx } from "../database/transaction.ts";
import { daysAfter, isoOf, MINUTE_MS } from "../time.ts";
import { type DueEmail, dueEmails } from "./due-emails.ts";
import type { ClaimedEmail } from "./emails/email.ts";
import { isRequested, whyNot } from "./emails/may-get.ts";
import { overMailboxLimit } from "./mailbox-limit.ts";
import { ownerOf } from "./rate/address-owner.ts";
import { type Queue, streamOf } from "./rate/queues.ts";
import type { Room } from "./rate/sending-rate.ts";

/**
 * How long a sender may hold an email before its state counts as unknown. A try ends within two minutes,
 * and the clocks of copies may differ.
 */
export const LEASE_MS = 5 * MINUTE_MS;

/** Among so many due emails a probe is chosen. */
const PROBES = 50;

/** A request for emails to send. */
export interface Claim {
	/** Names what is claimed. */
	claim: string;
	/** In ms since 1970. */
	now: number;
	room: Room;
	/** Owners of addresses whose emails are no probe while others are due. */
	suspects: readonly string[];
}

/** The emails that a sender now holds. */
export interface Claimed {
	emails: ClaimedEmail[];
	/** How many due emails will not be sent, because their person may no longer get them. */
	refused: number;
	/** Whether an email to a person who has confirmed is still due. */
	confirmedDue: boolean;
}

/**
 * Claims the next emails. Waves get their share first, confirmed people before others; then come
 * requested emails; then the rest of the waves. A probe goes to a person who has confirmed, if it can.
 */
export async function claimEmails(tx: Tx, given: Claim): Promise<Claimed> {
	const { room } = given;
	const emails: ClaimedEmail[] = [];
	let refused = 0;

	/** Whether the queue of confirmed people may have more. */
	let mayHaveMore = true;

	async function claimFrom(queue: Queue, atMost: number): Promise<void> {
		const stream = streamOf(queue);
		const used = emails.filter((email) => email.stream === stream).length;
		const count = Math.min(atMost, room.total - emails.length, room[stream] - used);
		if (count <= 0) return;
		const most = room.probing ? PROBES : count;
		const due = await dueEmails(tx, queue, { now: isoOf(given.now), most });
		if (queue === "confirmed") mayHaveMore = due.length === most;
		const chosen = room.probing ? probeAmong(due, given.suspects) : due;
		const claimed = await decide(tx, chosen, given);
		refused += chosen.length - claimed.length;
		emails.push(...claimed.map((email) => ({ ...email, stream })));
	}

	await claimFrom("confirmed", room.waves);
	await claimFrom("unconfirmed", room.waves - emails.length);
	await claimFrom("requested", room.total);
	await claimFrom("confirmed", room.total);
	await claimFrom("unconfirmed", room.total);
	const confirmedDue =
		mayHaveMore &&
		room.total > 0 &&
		(await dueEmails(tx, "confirmed", { now: isoOf(given.now), most: 1 })).length > 0;
	return { emails, refused, confirmedDue };
}

/** The first email of an owner whom the mail server has not refused, otherwise the first one. */
function probeAmong(due: readonly DueEmail[], suspects: readonly string[]): DueEmail[] {
	const unsuspected = due.find(({ key }) => !suspects.includes(ownerOf(key)));
	return [unsuspected ?? due[0] ?? []].flat();
}

/** Marks due emails as being sent, or as refused. */
async function decide(tx: Tx, due: readonly DueEmail[], given: Claim) {
	const limited = due.filter(({ kind, confirmedAt }) => isRequested(kind) || confirmedAt === "");
	const over = await overMailboxLimit(tx, limited, given.now);
	const reasonOver = new Map(limited.map((email, n) => [email, over[n]!]));
	const sent: (DueEmail & { expiresAt: string })[] = [];
	const invited = new Set<string>();
	const refused: [key: string, kind: string, wave: string, reason: string][] = [];
	for (const row of due) {
		const isInvited = row.invited === 1 || invited.has(row.key);
		const reason = whyNot(row, { ...row, isInvited }) || reasonOver.get(row) || "";
		if (row.kind === "invitation" && reason === "") invited.add(row.key);
		if (reason !== "") refused.push([row.key, row.kind, row.wave, reason]);
		else sent.push({ ...row, id: row.id || randomId(), expiresAt: expiryOf(row, given.now) });
	}
	if (refused.length > 0) await refuse(tx, refused);
	if (sent.length === 0) return [];
	const rows = sent.map((one) => [one.key, one.kind, one.wave, one.id, one.expiresAt]);
	await tx.all(sql`UPDATE email
		SET state = 'sending', claim = ${given.claim}, lease_until = ${isoOf(given.now + LEASE_MS)},
			attempts = attempts + 1, id = value->>3, expires_at = value->>4
		FROM ${rowsIn(rows)}
		WHERE email_key = value->>0 AND kind = value->>1 AND wave = value->>2`);
	return sent.map(
		({ id, kind, wave, key, attempts, queuedAt, email, recipient, expiresAt, ...one }) => ({
			...{ id, kind, wave, key, attempts: attempts + 1, queuedAt, email, recipient, expiresAt },
			subject: one.subject ?? "",
			message: one.message ?? "",
		}),
	);
}

/**
 * `ended_at` stays empty: nothing was sent, so no bounce rate may count them. A request over the limit is
 * taken back, or a stranger could use up the three that a person has.
 */
const refuse = (tx: Tx, rows: readonly unknown[]) =>
	tx.all(sql`UPDATE email SET state = 'refused', reason = value->>3,
			asks = CASE WHEN value->>3 = 'limited' AND wave = '' THEN asks - 1 ELSE asks END
		FROM ${rowsIn(rows)}
		WHERE email_key = value->>0 AND kind = value->>1 AND wave = value->>2`);

/** When the code of an invitation expires that is sent now. */
const expiryOf = ({ waveKind, validDays }: DueEmail, now: number) =>
	waveKind === "invitation" ? daysAfter(now, validDays!) : "";

const randomId = () => randomBytes(16).toString("hex");
