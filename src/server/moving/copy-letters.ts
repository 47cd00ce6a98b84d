import type { Database, Query } from "../database/database.ts";
import { MOST_ASKS } from "../letters/asking.ts";
import { ASSUMED, HELD, type StoredLetter } from "../letters/letter.ts";
import { countKeptLetters, hasLetters, lettersOf, mergeLetters } from "../letters/letters.ts";
import { applyLeavings, hasLeavings } from "../letters/links/leaving.ts";
import { refuseOfLeft } from "../letters/person.ts";
import type { Wave } from "../letters/wave/wave.ts";
import { countKeptWaves, mergeWaves, readWaves } from "../letters/wave/waves.ts";
import { daysAfter, latestCredible } from "../time.ts";
import type { Proofs } from "../waitlist/erasures.ts";
import {
	countKeptRecipients,
	hasRecipients,
	mergeRecipients,
	recipientsOf,
} from "../waitlist/recipients.ts";
import { type Sums, sumLetters, sumWaves } from "./sums.ts";

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

/**
 * What a copy makes of letters that are still to be sent. As they are: for a target that sends none.
 * Held: the source knows of everything that was sent. Unknown: it may have been sent after the source
 * was written.
 */
export type Unsent = "as they are" | "held" | "unknown";

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
	{
		proofs,
		unsent,
		now,
		sums,
	}: {
		proofs: Proofs | undefined;
		unsent: Unsent;
		now: Date;
		sums: Sums | undefined;
	},
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
	if (sums) sumWaves(sums, waves);
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
			letters:
				unsent === "as they are"
					? stored
					: stored.map((letter) => comingIn(letter, byName, { unsent, now })),
		};
	}

	return {
		async read(keys) {
			const rows = found ? await rowsOf(keys) : undefined;
			if (rows && sums) sumLetters(sums, rows);
			return async (adding) => {
				if (rows) {
					await mergeRecipients(adding, dialect, rows.recipients);
					added += await mergeLetters(adding, dialect, rows.letters);
				}
				if (leavings) await applyLeavings(adding, target, leavings, keys);
				if (unsent !== "as they are") await refuseOfLeft(adding, dialect, keys, now);
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

/**
 * A letter as it comes in. What was being sent may have arrived. After a backup all that was to be sent
 * may have gone out, also what was held or paused then, because the operator may have ended that:
 * only of a wave that has not begun yet can nothing have gone out.
 */
function comingIn(
	letter: StoredLetter,
	waves: ReadonlyMap<string, Wave>,
	{ unsent, now }: { unsent: "held" | "unknown"; now: Date },
): StoredLetter {
	const wave = waves.get(letter.wave);
	const isToSend = letter.state === "waiting" || letter.state === "deferred";
	const isToBegin = wave !== undefined && wave.startsAt > latestCredible(now);
	// Nobody knows how often a person was asked to confirm since: they are asked once more at most.
	const isAsked = unsent === "unknown" && letter.kind === "confirm";
	const asks = isAsked ? Math.max(letter.asks, MOST_ASKS - 1) : letter.asks;
	if (letter.state === "sending" || (unsent === "unknown" && isToSend && !isToBegin)) {
		return {
			...{ ...letter, asks, state: "unknown", code: ASSUMED, held: 0, claim: "", leaseUntil: "" },
			// It may have gone out at any moment until now.
			endedAt: now.toISOString(),
			expiresAt: wave?.kind === "invitation" ? daysAfter(now.getTime(), wave.validDays) : "",
		};
	}
	return { ...letter, asks, held: isToSend ? letter.held | HELD.byOperator : letter.held };
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
 * paused for longer. The ramp goes on where it is further. Whichever had a letter taken later knows that until then nobody meant us.
 */
export async function copyOutbox(source: Query, target: Database): Promise<void> {
	// As text: 64 bits are more than a number of JavaScript holds.
	const [outbox] = await source<
		Record<"free" | "spread" | "until" | "reason" | "cause" | "released" | "passed", string> &
			Record<"step", number> &
			Record<"stepped", string>
	>(
		`SELECT CAST(free_at AS TEXT) AS free, CAST(spread AS TEXT) AS spread, paused_until AS until, reason, cause,
			released_at AS released, passed_at AS passed, step, stepped_at AS stepped FROM outbox`,
	);
	if (!outbox) return;
	await target.transaction(async (query) => {
		await query(
			`INSERT INTO outbox (one, free_at, spread, paused_until, reason, cause, released_at)
			VALUES (1, CAST($1 AS BIGINT), CAST($2 AS BIGINT), $3, $4, $5, $6)
			ON CONFLICT (one) DO UPDATE SET free_at = excluded.free_at, spread = excluded.spread,
				paused_until = excluded.paused_until, reason = excluded.reason, cause = excluded.cause,
				released_at = excluded.released_at
			WHERE excluded.released_at > outbox.released_at
				OR (excluded.released_at = outbox.released_at
					AND excluded.paused_until > outbox.paused_until)`,
			[outbox.free, outbox.spread, outbox.until, outbox.reason, outbox.cause, outbox.released],
		);
		await query("UPDATE outbox SET passed_at = $1 WHERE passed_at < $1", [outbox.passed]);
		await query(
			"UPDATE outbox SET step = CAST($1 AS INT), stepped_at = $2 WHERE step < CAST($1 AS INT)",
			[outbox.step, outbox.stepped],
		);
	});
}
