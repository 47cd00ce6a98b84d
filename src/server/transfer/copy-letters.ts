import type { Database } from "../database/database.ts";
import { ask, type Query } from "../database/statement.ts";
import type { Tx } from "../database/transaction.ts";
import { MOST_ASKS } from "../mail/emails/asking.ts";
import { HELD, type LetterRow } from "../mail/emails/letter.ts";
import { mergeLetters, refuseOfLeft } from "../mail/emails/letter-changes.ts";
import { asRows, countKeptLetters, hasLetters, lettersOf } from "../mail/emails/letters.ts";
import { applyLeavings } from "../mail/links/leaving.ts";
import { lockOutbox, type OutboxRow, readOutbox, saveOutbox } from "../mail/rate/outbox-row.ts";
import type { Wave } from "../mail/wave/wave.ts";
import { countKeptWaves, mergeWaves, readWaves } from "../mail/wave/waves.ts";
import { hasLeavings, type Proofs } from "../registrations/proofs/erasures.ts";
import {
	countKeptRecipients,
	hasRecipients,
	mergeRecipients,
	recipientsOf,
} from "../registrations/recipients.ts";
import { daysAfter, latestCredible } from "../time.ts";

/** Rows of a kind in two waitlists, compared one by one. */
export interface Rows {
	source: number;
	/** Rows that the target has with all that the source knows. */
	target: number;
	/** Rows that the target has in a newer or another state, counted in `target` too. */
	later: number;
}

/** What was copied beside registrations. */
export interface CopiedLetters {
	/** People whom letters were sent to, or who have left or bounced. */
	recipients: Rows;
	letters: Rows;
	waves: Rows;
}

/**
 * The state in the target of letters that are still to be sent. "held" is for a source that knows
 * everything that was sent. "unknown" is for a backup, because its letters may have gone out after it
 * was written.
 */
export type Unsent = "held" | "unknown";

/** Copies and compares what belongs to the people of a page. */
export interface LetterCopy {
	/**
	 * Reads what belongs to people in the source.
	 *
	 * @returns adds it, in the transaction of the target that adds these people
	 */
	read(keys: readonly string[]): Promise<(query: Query) => Promise<void>>;
	/** Compares what belongs to people, once all is copied. */
	compare(keys: readonly string[]): Promise<void>;
	/** What was compared so far; undefined where there is nothing of the kind. */
	copied: CopiedLetters | undefined;
	/** How many letters the target did not have, or knew less of. */
	added(): number;
}

/**
 * Copies all waves, and opens the copy of their letters, of all others and of their people. Of what
 * the target has already, whichever side knows more wins.
 *
 * @param query reads a snapshot of the source
 */
export async function openLetterCopy(
	query: Query,
	source: Database,
	target: Database,
	{ proofs, unsent, now }: { proofs: Proofs | undefined; unsent: Unsent; now: Date },
): Promise<LetterCopy> {
	const { dialect } = target;
	const waves = await readWaves(query);
	const byName = new Map(waves.map((wave) => [wave.name, wave]));
	const found = waves.length > 0 || (await hasRecipients(query)) || (await hasLetters(query));
	const leavings = proofs && (await hasLeavings(target.query)) ? proofs : undefined;
	const recipients: Rows = { source: 0, target: 0, later: 0 };
	const letters: Rows = { source: 0, target: 0, later: 0 };
	const copiedWaves: Rows = { source: 0, target: 0, later: 0 };
	let added = 0;
	// Before their letters: what the operator has stopped there is not sent here.
	if (waves.length > 0) {
		await target.transaction((adding) => mergeWaves(adding, dialect, waves));
		await compareRows(copiedWaves, waves, await readWaves(target.query), (others) =>
			countKeptWaves(target.query, dialect, others),
		);
	}

	async function rowsOf(keys: readonly string[]) {
		const stored = await lettersOf(query, source.dialect, keys);
		return {
			recipients: await recipientsOf(query, source.dialect, keys),
			letters: stored.map((letter) => comingIn(letter, byName, { unsent, now })),
		};
	}

	return {
		async read(keys) {
			const rows = found ? await rowsOf(keys) : undefined;
			return async (adding) => {
				if (rows) {
					await mergeRecipients(adding, dialect, rows.recipients);
					if (rows.letters.length > 0) {
						added += (await ask(adding, mergeLetters(dialect, asRows(rows.letters)))).length;
					}
				}
				if (leavings) await applyLeavings(adding, target, leavings, keys);
				await ask(adding, refuseOfLeft(dialect, keys, now));
			};
		},
		async compare(keys) {
			if (!found) return;
			const ours = await rowsOf(keys);
			const theirs = {
				recipients: await recipientsOf(target.query, dialect, keys),
				letters: await lettersOf(target.query, dialect, keys),
			};
			await compareRows(recipients, ours.recipients, theirs.recipients, (others) =>
				countKeptRecipients(target.query, dialect, others),
			);
			await compareRows(letters, ours.letters, theirs.letters, (others) =>
				countKeptLetters(target.query, dialect, others),
			);
		},
		copied: found ? { recipients, letters, waves: copiedWaves } : undefined,
		added: () => added,
	};
}

/**
 * @param countKept counts, among rows that differ or are missing in the target, those of which the
 *   target knows as much
 */
async function compareRows<Row>(
	rows: Rows,
	ours: readonly Row[],
	theirs: readonly Row[],
	countKept: (others: readonly Row[]) => Promise<number>,
): Promise<void> {
	const there = new Set(theirs.map((row) => JSON.stringify(row)));
	const others = ours.filter((row) => !there.has(JSON.stringify(row)));
	const later = others.length > 0 ? await countKept(others) : 0;
	rows.source += ours.length;
	rows.target += ours.length - others.length + later;
	rows.later += later;
}

/**
 * A letter as the target gets it. A letter that was being sent may have arrived. After a backup
 * every letter that was to be sent may have gone out, held and paused ones too, because the
 * operator may have released them. Only a wave that has not begun yet has sent nothing.
 */
function comingIn(
	letter: LetterRow,
	waves: ReadonlyMap<string, Wave>,
	{ unsent, now }: { unsent: Unsent; now: Date },
): LetterRow {
	const wave = waves.get(letter.wave);
	const isToSend = letter.state === "waiting" || letter.state === "deferred";
	const isToBegin = wave !== undefined && wave.startsAt > latestCredible(now);
	// Allows one more letter at most, because nobody knows how often a person was asked to confirm
	// since.
	const isAsked = unsent === "unknown" && letter.wave === "";
	const asks = isAsked ? Math.max(letter.asks, MOST_ASKS - 1) : letter.asks;
	if (letter.state === "sending" || (unsent === "unknown" && isToSend && !isToBegin)) {
		return {
			...letter,
			asks,
			state: "unknown",
			reason: "assumed",
			held: 0,
			claim: "",
			leaseUntil: "",
			// It may have gone out at any moment until now.
			endedAt: now.toISOString(),
			expiresAt: wave?.kind === "invitation" ? daysAfter(now.getTime(), wave.validDays) : "",
		};
	}
	return { ...letter, asks, held: isToSend ? letter.held | HELD.byOperator : letter.held };
}

/** Whether the target lacks nothing. */
export function areCopied({ recipients, letters, waves }: CopiedLetters): boolean {
	return [recipients, letters, waves].every(({ source, target }) => source === target);
}

/**
 * Copies the sending rate and the pause, so that no target sends what the founder has stopped. The outbox
 * that was released last wins, between equal ones the longer pause. The further step of the warm-up wins.
 */
export async function copyOutbox(source: Query, target: Database): Promise<void> {
	const theirs = await readOutbox(source);
	await target.transact(mergeOutbox, theirs);
}

async function mergeOutbox(tx: Tx, theirs: OutboxRow): Promise<void> {
	const ours = await lockOutbox(tx);
	const isLater =
		theirs.releasedAt === ours.releasedAt
			? theirs.pausedUntil > ours.pausedUntil
			: theirs.releasedAt > ours.releasedAt;
	const { step, steppedAt } = theirs.step > ours.step ? theirs : ours;
	// The next sender begins with the shortest pause.
	await saveOutbox(tx, { ...(isLater ? { ...theirs, pauses: 0 } : ours), step, steppedAt });
}
