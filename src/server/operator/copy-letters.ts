import { HELD } from "../letters/wave.ts";
import type { Database, Query } from "./database/database.ts";
import {
	countKeptLetters,
	hasLetters,
	lettersOf,
	mergeLetters,
	refuseOfLeft,
	type StoredLetter,
} from "./database/letters.ts";
import {
	countKeptRecipients,
	hasRecipients,
	mergeRecipients,
	recipientsOf,
} from "./database/recipients.ts";
import { countKeptWaves, mergeWaves, readWaves } from "./database/waves.ts";
import type { Proofs } from "./erasure/erasure.ts";
import { applyLeavings, hasLeavings } from "./erasure/leaving.ts";

/** Rows of a kind in two waitlists, compared one by one. */
export interface Rows {
	source: number;
	/** Of these in the target, with all that the source knows. */
	target: number;
	/** Of these, how many of which the target knows more, or other things. */
	later: number;
}

/** What was copied beside registrations. */
export interface CopiedLetters {
	/** People whom letters were sent to, or who have left or bounced. */
	recipients: Rows;
	letters: Rows;
	waves: Rows;
}

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
}

/**
 * Copies all waves, and opens the copy of their letters, of all others and of their people. Of what
 * the target has already, whichever side knows more wins.
 *
 * @param query reads a snapshot of the source
 * @param held whether the target sends nothing of it until the operator lets it go
 */
export async function openLetterCopy(
	query: Query,
	source: Database,
	target: Database,
	{ proofs, held, now }: { proofs: Proofs | undefined; held: boolean; now: Date },
): Promise<LetterCopy> {
	const { dialect } = target;
	const waves = await readWaves(query);
	const found = waves.length > 0 || (await hasRecipients(query)) || (await hasLetters(query));
	const leavings = proofs && (await hasLeavings(target.query)) ? proofs : undefined;
	const recipients: Rows = { source: 0, target: 0, later: 0 };
	const letters: Rows = { source: 0, target: 0, later: 0 };
	const copiedWaves: Rows = { source: 0, target: 0, later: 0 };
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
			letters: held ? stored.map((letter) => asHeld(letter, now)) : stored,
		};
	}

	return {
		async read(keys) {
			const rows = found ? await rowsOf(keys) : undefined;
			return async (adding) => {
				if (rows) {
					await mergeRecipients(adding, dialect, rows.recipients);
					await mergeLetters(adding, dialect, rows.letters);
				}
				if (leavings) await applyLeavings(adding, target, leavings, keys);
				if (held) await refuseOfLeft(adding, dialect, keys, now);
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
	};
}

/** @param countKept of rows that the target has otherwise, or not at all: where it knows as much */
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

/** A letter as it comes in. What was being sent may have arrived: nobody here will know. */
function asHeld(letter: StoredLetter, now: Date): StoredLetter {
	if (letter.state === "sending") {
		const endedAt = now.toISOString();
		return { ...letter, state: "unknown", claim: "", leaseUntil: "", endedAt };
	}
	const unsent = letter.state === "waiting" || letter.state === "deferred";
	return unsent ? { ...letter, held: letter.held | HELD.byOperator } : letter;
}

/** Whether nothing is missing in the target; to the letter, if it was empty before. */
export function areCopied(
	{ recipients, letters, waves }: CopiedLetters,
	{ exactly }: { exactly: boolean },
): boolean {
	return [recipients, letters, waves].every(
		({ source, target, later }) => source === target && !(exactly && later > 0),
	);
}

/**
 * Copies the clock of the rate, and the pause: nothing goes out elsewhere that the operator has
 * stopped. Of two outboxes the one counts that the operator has released last, else the one that is
 * paused for longer.
 */
export async function copyOutbox(source: Query, target: Database): Promise<void> {
	// As text: 64 bits are more than a number of JavaScript holds.
	const [outbox] = await source<Record<"free" | "until" | "reason" | "released", string>>(
		`SELECT CAST(free_at AS TEXT) AS free, paused_until AS until, reason,
			released_at AS released FROM outbox`,
	);
	if (!outbox) return;
	await target.transaction((query) =>
		query(
			`INSERT INTO outbox (one, free_at, paused_until, reason, released_at)
			VALUES (1, CAST($1 AS BIGINT), $2, $3, $4)
			ON CONFLICT (one) DO UPDATE SET free_at = excluded.free_at,
				paused_until = excluded.paused_until, reason = excluded.reason,
				released_at = excluded.released_at
			WHERE excluded.released_at > outbox.released_at
				OR (excluded.released_at = outbox.released_at
					AND excluded.paused_until > outbox.paused_until)`,
			[outbox.free, outbox.until, outbox.reason, outbox.released],
		),
	);
}
