import { rowsIn, sql } from "../database/sql.ts";
import type { Tx } from "../database/transaction.ts";
import { noteMailbox, unnotedLeft } from "../registrations/recipients.ts";
import { signer } from "../secret.ts";
import { DAY_MS, isoOf } from "../time.ts";
import type { Reason } from "./emails/letter.ts";
import { mailboxOf } from "./people/spellings.ts";

/** How many emails that anybody can request one mailbox gets in {@link PERIOD_MS}. */
export const MOST_EMAILS = 3;

export const PERIOD_MS = DAY_MS;

/** The mailboxes of so many people who have unsubscribed are noted at a time. */
const PAGE = 1000;

/** Names the mailbox of a canonical address, by a keyed hash that leads to no address. */
export type HashMailbox = (key: string) => string;

/** @param secret of the erasure key */
export function mailboxHash(secret: string): HashMailbox {
	const sign = signer(secret, "letters: mailbox", 16);
	return (key) => sign(mailboxOf(key)).toString("hex");
}

/**
 * Notes the mailboxes of people who have unsubscribed since, so that no spelling of them is asked to
 * confirm. The hash is in the person's own row, and deleted with the row.
 *
 * @returns whether all are noted: only then may requested emails be claimed
 */
export async function noteMailboxes(tx: Tx, hash: HashMailbox): Promise<boolean> {
	const people = await tx.all(unnotedLeft(PAGE));
	if (people.length === 0) return true;
	const rows = JSON.stringify(people.map(({ key }) => [key, hash(key)]));
	await tx.all(noteMailbox(tx.dialect, rows));
	return people.length < PAGE;
}

/**
 * The reasons why requested emails are not sent, by their ids; those to send are not in it. Strangers can
 * write addresses into the form, so that `victim+1@`, `victim+2@`, … are one person's emails. Each counts
 * once, however often it is tried, and an erasure leaves the count: deleting a record and joining again
 * begins no new one.
 */
export async function overMailboxLimit(
	tx: Tx,
	emails: readonly { id: string; key: string; kind: string }[],
	hash: HashMailbox,
	ms: number,
): Promise<Map<string, Reason>> {
	if (emails.length === 0) return new Map();
	const since = isoOf(ms - PERIOD_MS);
	const rows = emails.map(({ id, key }) => [id, hash(key)]);
	const found = await tx.all(sql<Counted>`SELECT value->>0 AS id, value->>1 AS mailbox,
			CAST((SELECT count(*) FROM asked_mailbox WHERE letter = value->>0) AS INTEGER) AS known,
			CAST((SELECT count(*) FROM asked_mailbox WHERE mailbox = value->>1 AND asked_at > ${since}) AS INTEGER)
				AS emails,
			CAST((SELECT count(*) FROM recipient WHERE mailbox = value->>1 AND left_at <> '') AS INTEGER)
				AS "left"
		FROM ${rowsIn(tx, rows)}`);
	const byId = new Map(found.map((row) => [row.id, row]));
	const reasons = new Map<string, Reason>();
	const added = new Map<string, string>();
	for (const { id, kind } of emails) {
		const { mailbox, known, emails: before, left } = byId.get(id)!;
		const now = [...added.values()].filter((one) => one === mailbox).length;
		if (kind === "confirm" && left > 0) reasons.set(id, "left");
		else if (known === 0 && before + now >= MOST_EMAILS) reasons.set(id, "limited");
		else if (known === 0) added.set(id, mailbox);
	}
	if (added.size > 0) {
		await tx.all(sql`INSERT INTO asked_mailbox (letter, mailbox, asked_at)
			SELECT value->>0, value->>1, ${isoOf(ms)}
			FROM ${rowsIn(tx, [...added])}`);
	}
	return reasons;
}

/** What is known of an email and its mailbox. */
interface Counted {
	id: string;
	mailbox: string;
	known: number;
	emails: number;
	left: number;
}

/** Deletes what no longer counts. */
export const sweepMailboxes = (ms: number) =>
	sql`DELETE FROM asked_mailbox WHERE asked_at <= ${isoOf(ms - PERIOD_MS)}`;
