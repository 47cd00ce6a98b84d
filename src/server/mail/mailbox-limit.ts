import { ASKED_MAILBOX } from "../database/schema.ts";
import { sql } from "../database/sql.ts";
import type { Tx } from "../database/transaction.ts";
import type { Reason } from "../letters/letter.ts";
import { mailboxOf } from "../letters/people/spellings.ts";
import { signer } from "../secret.ts";
import { DAY_MS } from "../time.ts";
import { noteMailbox, unnotedLeft } from "../waitlist/recipients.ts";

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
 * Why a requested email is not sent; "" where it is. Strangers can write addresses into the form, so that
 * `victim+1@`, `victim+2@`, … are one person's emails. Each counts once, however often it is tried, and an
 * erasure leaves the count: deleting a record and joining again begins no new one.
 */
export async function whyNotRequested(
	tx: Tx,
	email: { id: string; key: string; kind: string },
	hash: HashMailbox,
	ms: number,
): Promise<Reason | ""> {
	const { id, key, kind } = email;
	const mailbox = hash(key);
	const since = new Date(ms - PERIOD_MS).toISOString();
	const counted = { sql: ASKED_MAILBOX };
	const found = await tx.first(sql<{ known: number; emails: number; left: number }>`SELECT
		CAST((SELECT count(*) FROM ${counted} WHERE letter = ${id}) AS INTEGER) AS known,
		CAST((SELECT count(*) FROM ${counted} WHERE mailbox = ${mailbox} AND asked_at > ${since}) AS INTEGER)
			AS emails,
		CAST((SELECT count(*) FROM recipient WHERE mailbox = ${mailbox} AND left_at <> '') AS INTEGER)
			AS "left"`);
	const { known, emails, left } = found!;
	if (kind === "confirm" && left > 0) return "left";
	if (known > 0) return "";
	if (emails >= MOST_EMAILS) return "limited";
	const now = new Date(ms).toISOString();
	await tx.all(
		sql`INSERT INTO ${counted} (letter, mailbox, asked_at) VALUES (${id}, ${mailbox}, ${now})`,
	);
	return "";
}

/** Deletes what no longer counts. */
export const sweepMailboxes = (ms: number) =>
	sql`DELETE FROM ${{ sql: ASKED_MAILBOX }} WHERE asked_at <= ${new Date(ms - PERIOD_MS).toISOString()}`;
