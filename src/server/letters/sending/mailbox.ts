import { ask, type SharedDatabase, statement } from "../../database/database.ts";
import { type Dialect, firstsOf } from "../../database/dialect.ts";
import { signer } from "../../secret.ts";
import { DAY_MS } from "../../time.ts";
import { noteMailbox, unnotedLeft, valuesOfLeft } from "../../waitlist/recipients.ts";
import { isoOf, type TakenLetter } from "../letter.ts";
import {
	COUNTED_LETTERS,
	countAsked,
	LOCK,
	setClockBack,
	sweepAsked,
} from "../pace/pace-tables.ts";
import { mailboxOf } from "../people/spellings.ts";
import { IS_REQUESTED, isRequested } from "../reachable.ts";
import { refuseTaken } from "../table/letter-changes.ts";
import { lettersWhere } from "../table/letter-counts.ts";
import { idsWhere } from "../table/tried-letters.ts";
import type { Outbox } from "./outbox.ts";

/** How many emails that anybody can request one mailbox gets in {@link PERIOD_MS}. */
export const MOST_LETTERS = 3;

export const PERIOD_MS = DAY_MS;

/** How often rows that no longer count are deleted. */
const SWEEP_MS = 60 * 60_000;

/** The mailboxes of so many people who left are noted at a time. */
const PAGE = 1000;

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
			const people = await ask(query, unnotedLeft(PAGE));
			if (people.length === 0) return;
			const rows = JSON.stringify(people.map(({ key }) => [key, hashOf(key)]));
			await run({ lock: statement(LOCK), noted: noteMailbox(dialect, rows) });
		}
	}

	async function keep(letters: readonly TakenLetter[]): Promise<Set<string>> {
		await noteMailboxes();
		const ms = now();
		const rows = JSON.stringify(letters.map(({ id, key }) => [id, hashOf(key)]));
		const asking = letters.filter(({ kind }) => isRequested(kind));
		const { kept } = await run({
			lock: statement(LOCK),
			counted: asking.map(({ id, key }) =>
				count(id, hashOf(key), isoOf(ms), isoOf(ms - PERIOD_MS)),
			),
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
				await run({ swept: sweepAsked(isoOf(ms - PERIOD_MS)) });
				sweptAt = ms;
			}
			return outbox.look();
		},
		async turn(tried, most, slow) {
			const turn = await outbox.turn(tried, Math.max(0, most - uncounted.length), slow);
			uncounted.push(...turn.letters);
			if (!uncounted.some(({ kind }) => isRequested(kind))) {
				uncounted = [];
				return turn;
			}
			const counted = await keep(uncounted);
			const letters = uncounted.filter(({ id }) => counted.has(id));
			const turnedAway = turn.turnedAway + uncounted.length - letters.length;
			uncounted = [];
			return { ...turn, letters, turnedAway };
		},
	};
}

const count = countAsked(MOST_LETTERS);

const among = (dialect: Dialect) => `id IN ${firstsOf(dialect)} AND state = 'sending'`;

/** SQL for a letter that asks to confirm, to a person who has left by any spelling of the mailbox. */
const hasLeft = (dialect: Dialect) => `(kind = 'confirm' AND id IN ${valuesOfLeft(dialect)})`;

/** SQL for those of the letters that are not sent. A letter may be counted before its person leaves. */
const beyond = (dialect: Dialect) => `${among(dialect)} AND ${IS_REQUESTED}
	AND (id NOT IN ${COUNTED_LETTERS} OR ${hasLeft(dialect)})`;

/** Returns the share of the rate of letters that are not sent: plus tags of one mailbox could use up all. */
const giveBack = (dialect: Dialect) => setClockBack(lettersWhere(beyond(dialect)));

const refuse = (dialect: Dialect) =>
	refuseTaken(`CASE WHEN ${hasLeft(dialect)} THEN 'left' ELSE 'limited' END`, beyond(dialect));

/** What is still ours to send: the lease may have ended while the database did not answer. */
const ours = (dialect: Dialect) => idsWhere(among(dialect));
