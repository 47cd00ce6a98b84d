import { type SharedDatabase, statement } from "../../database/database.ts";
import type { Dialect } from "../../database/dialect.ts";
import { ASKED_MAILBOX } from "../../database/schema.ts";
import { signer } from "../../secret.ts";
import { isoOf, type TakenLetter, UNTRIED } from "../letter.ts";
import { HAS_LEFT } from "../who-may.ts";
import { LOCK, type Outbox } from "./outbox.ts";

/** How many letters that ask to confirm one mailbox gets in {@link PERIOD_MS}. */
export const MOST_LETTERS = 3;

export const PERIOD_MS = 24 * 60 * 60_000;

/** How often rows that no longer count are deleted. */
const SWEEP_MS = 60 * 60_000;

/** The mailboxes of so many people who left are noted at a time. */
const PAGE = 1000;

/** Gmail delivers both domains to one mailbox, and ignores dots. */
const GMAIL = /^(?:gmail|googlemail)\.com$/;

/**
 * The mailbox of a canonical address, as far as an address tells: without a plus tag, and without dots
 * at Gmail. Somewhere these are mailboxes of their own, so this is only for which letters are sent, never
 * for who is on the list.
 */
export function mailboxOf(key: string): string {
	const at = key.lastIndexOf("@");
	const domain = key.slice(at + 1);
	const local = key.slice(0, at).replace(/(?<=.)\+.*$/, "");
	return GMAIL.test(domain) ? `${local.replaceAll(".", "")}@gmail.com` : `${local}@${domain}`;
}

/**
 * Bounds an outbox by mailbox: strangers can write addresses into the form, so that
 * `victim+1@`, `victim+2@`, … are one person's letters. What is beyond {@link MOST_LETTERS} is refused
 * as it is taken, and the stranger's answer was the same as ever.
 *
 * It is counted here and not as somebody joins, because a join is one statement, and a sender has time.
 * Each letter counts once, however often it is tried. The mailbox is kept as a keyed hash, which an
 * erasure leaves: deleting a record and joining again begins no new count.
 *
 * Once a person has left, no spelling of their mailbox is asked to confirm until that person is back.
 * The hash is noted in the person's own row, and deleted with the row.
 *
 * @param secret the secret of the erasure key
 */
export function limitByMailbox(
	outbox: Outbox,
	{ query, run, dialect }: SharedDatabase,
	{ secret, now = Date.now }: { secret: string; now?: () => number },
): Outbox {
	const sign = signer(secret, "letters: mailbox", 16);
	/** Taken, and not counted yet: the database did not answer. */
	let uncounted: TakenLetter[] = [];
	let sweptAt = Number.NEGATIVE_INFINITY;

	const hashOf = (key: string) => sign(mailboxOf(key)).toString("hex");

	/** Notes the mailboxes of people who have left since. */
	async function noteMailboxes(): Promise<void> {
		for (;;) {
			const people = await query<{ key: string }>(UNNOTED);
			if (people.length === 0) return;
			const rows = JSON.stringify(people.map(({ key }) => [key, hashOf(key)]));
			await run({ lock: statement(LOCK), noted: statement(note(dialect), rows) });
		}
	}

	async function count(letters: readonly TakenLetter[]): Promise<Set<string>> {
		await noteMailboxes();
		const ms = now();
		const rows = JSON.stringify(letters.map(({ id, key }) => [id, hashOf(key)]));
		const asking = letters.filter(({ kind }) => kind === "confirm");
		const { kept } = await run({
			lock: statement(LOCK),
			counted: asking.map((letter) => countStatement(letter.id, hashOf(letter.key), ms)),
			givenBack: statement(giveBack(dialect), rows),
			fasterAgain: statement(outbox.brake.giveBack(beyond(dialect)), rows),
			refused: statement(refuse(dialect), rows),
			kept: statement<{ id: string }>(ours(dialect), rows),
		});
		return new Set(kept.map(({ id }) => id));
	}

	return {
		...outbox,
		async look() {
			const ms = now();
			if (ms - sweptAt > SWEEP_MS) {
				await run({ swept: statement(SWEEP, isoOf(ms - PERIOD_MS)) });
				sweptAt = ms;
			}
			return outbox.look();
		},
		async turn(tried, most, slow) {
			const turn = await outbox.turn(tried, Math.max(0, most - uncounted.length), slow);
			uncounted.push(...turn.letters);
			if (!uncounted.some(({ kind }) => kind === "confirm")) {
				uncounted = [];
				return turn;
			}
			const counted = await count(uncounted);
			const letters = uncounted.filter(({ id }) => counted.has(id));
			const turnedAway = turn.turnedAway + uncounted.length - letters.length;
			uncounted = [];
			return { ...turn, letters, turnedAway };
		},
	};
}

/** Counts a letter, unless its mailbox has had all that it gets, or its person has left. */
function countStatement(id: string, mailbox: string, ms: number) {
	return statement(
		`INSERT INTO ${ASKED_MAILBOX} (letter, mailbox, asked_at)
		SELECT CAST($1 AS TEXT), CAST($2 AS TEXT), CAST($3 AS TEXT) WHERE ${MOST_LETTERS} > (
			SELECT count(*) FROM ${ASKED_MAILBOX} WHERE mailbox = $2 AND asked_at > $4
		) AND NOT EXISTS (SELECT 1 FROM recipient WHERE mailbox = $2 AND ${HAS_LEFT})
		ON CONFLICT (letter) DO NOTHING`,
		...[id, mailbox, isoOf(ms), isoOf(ms - PERIOD_MS)],
	);
}

/**
 * People who have left and whose mailbox is not noted. The sender notes it, so that nothing that
 * brings such people (a button, a restore, an import, an earlier version) has to know of mailboxes.
 */
const UNNOTED = `SELECT email_key AS "key" FROM recipient
	WHERE ${HAS_LEFT} AND mailbox = '' LIMIT ${PAGE}`;

/** SQL that notes mailboxes. A person who comes back keeps theirs: only `left_at` says who has left. */
const note = ({ jsonRows }: Dialect) =>
	`UPDATE recipient SET mailbox = value->>1 FROM ${jsonRows} WHERE email_key = value->>0`;

const SWEEP = `DELETE FROM ${ASKED_MAILBOX} WHERE asked_at <= $1`;

const among = ({ jsonRows }: Dialect) => `id IN (SELECT value->>0 FROM ${jsonRows})
	AND state = 'sending'`;

/** SQL for whether a letter's person has left, by any spelling of the mailbox. */
const hasLeft = ({ jsonRows }: Dialect) => `id IN (
		SELECT value->>0 FROM ${jsonRows} JOIN recipient ON mailbox = value->>1 WHERE ${HAS_LEFT}
	)`;

/** SQL for those of the letters that are not sent. A letter may be counted before its person leaves. */
const beyond = (dialect: Dialect) => `${among(dialect)} AND kind = 'confirm'
	AND (id NOT IN (SELECT letter FROM ${ASKED_MAILBOX}) OR ${hasLeft(dialect)})`;

/** Returns the share of the rate of letters that are not sent: plus tags of one mailbox could use up all. */
const giveBack = (dialect: Dialect) => `UPDATE outbox SET free_at = free_at - spread * (
		SELECT count(*) FROM letter WHERE ${beyond(dialect)}
	)`;

/** As in the outbox's own refusals, no time at which it ended: nobody heard of it. */
const refuse = (dialect: Dialect) => `UPDATE letter
	SET state = 'refused', code = CASE WHEN ${hasLeft(dialect)} THEN 'left' ELSE 'limited' END,
		${UNTRIED}
	WHERE ${beyond(dialect)}`;

/** What is still ours to send: the lease may have ended while the database did not answer. */
const ours = (dialect: Dialect) => `SELECT id FROM letter WHERE ${among(dialect)}`;
