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

/** After this time a claimed email is unknown. An attempt ends within two minutes, and clocks may differ. */
export const LEASE_MS = 5 * MINUTE_MS;

/** Among so many due emails a probe is chosen. */
const PROBES = 50;

interface Claim {
	/** Names what is claimed. */
	claim: string;
	/** In ms since 1970. */
	now: number;
	room: Room;
	suspects: readonly string[];
}

/** The emails that a sender now holds. */
export interface Claimed {
	letters: ClaimedEmail[];
	/** How many due emails will not be sent, because their person may no longer get them. */
	refused: number;
	/** Whether an email to a confirmed person is still due. */
	confirmedDue: boolean;
}

/**
 * Claims the next emails: first the share of waves, confirmed people before others, then requested emails,
 * then the rest of the waves.
 */
export async function claimEmails(tx: Tx, claim: Claim): Promise<Claimed> {
	const { room, suspects } = claim;
	const now = isoOf(claim.now);
	const letters: ClaimedEmail[] = [];
	let refused = 0;
	let confirmedDue = true;

	async function claimFrom(queue: Queue, atMost: number): Promise<void> {
		const stream = streamOf(queue);
		const used = letters.filter((email) => email.stream === stream).length;
		const count = Math.min(atMost, room.total - letters.length, room[stream] - used);
		if (count <= 0) return;
		const most = room.probing ? PROBES : count;
		const due = await dueEmails(tx, queue, { now, most });
		if (queue === "confirmed") confirmedDue = due.length === most;
		const chosen = room.probing ? probeAmong(due, suspects) : due;
		const claimed = await decide(tx, chosen, claim);
		refused += chosen.length - claimed.length;
		letters.push(...claimed.map((email) => ({ ...email, stream })));
	}

	await claimFrom("confirmed", room.waves);
	await claimFrom("unconfirmed", room.waves - letters.length);
	await claimFrom("requested", room.total);
	await claimFrom("confirmed", room.total);
	await claimFrom("unconfirmed", room.total);
	confirmedDue &&=
		room.total > 0 && (await dueEmails(tx, "confirmed", { now, most: 1 })).length > 0;
	return { letters, refused, confirmedDue };
}

/** An email of an owner whom the mail server has not refused, if there is one. */
function probeAmong(due: readonly DueEmail[], suspects: readonly string[]): DueEmail[] {
	const unsuspected = due.find(({ key }) => !suspects.includes(ownerOf(key)));
	return [unsuspected ?? due[0] ?? []].flat();
}

/** Marks due emails as being sent, or as refused. */
async function decide(tx: Tx, due: readonly DueEmail[], { claim, now }: Claim) {
	const limited = due.filter(({ kind, confirmedAt }) => isRequested(kind) || confirmedAt === "");
	const over = await overMailboxLimit(tx, limited, now);
	const reasonOver = new Map(limited.map((email, n) => [email, over[n]!]));
	const sent: (DueEmail & { expiresAt: string })[] = [];
	const invited = new Set<string>();
	const refused: string[][] = [];
	for (const row of due) {
		const isInvited = row.invited === 1 || invited.has(row.key);
		const reason = whyNot(row, { ...row, isInvited }) || reasonOver.get(row) || "";
		if (row.kind === "invitation" && reason === "") invited.add(row.key);
		if (reason !== "") refused.push([row.key, row.kind, row.wave, reason]);
		else {
			const expiresAt = row.waveKind === "invitation" ? daysAfter(now, row.validDays!) : "";
			sent.push({ ...row, id: row.id || randomBytes(16).toString("hex"), expiresAt });
		}
	}
	if (refused.length > 0) await refuse(tx, refused);
	if (sent.length === 0) return [];
	const rows = sent.map((one) => [one.key, one.kind, one.wave, one.id, one.expiresAt]);
	await tx.all(sql`UPDATE email
		SET state = 'sending', claim = ${claim}, lease_until = ${isoOf(now + LEASE_MS)},
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
 * `ended_at` stays empty, so no bounce rate counts them. A request over the limit is taken back: a stranger
 * could use up the three that a person has.
 */
const refuse = (tx: Tx, rows: readonly unknown[]) =>
	tx.all(sql`UPDATE email SET state = 'refused', reason = value->>3,
			asks = CASE WHEN value->>3 = 'limited' AND wave = '' THEN asks - 1 ELSE asks END
		FROM ${rowsIn(rows)}
		WHERE email_key = value->>0 AND kind = value->>1 AND wave = value->>2`);
