import type { SharedDatabase } from "../../database/database.ts";
import { lockNote, type Note, readNote, writeNote } from "../../database/notes.ts";
import {
	countRows,
	keysOf,
	keysSql,
	raw,
	rowsSql,
	runEach,
	type Statement,
	sql,
	type Tx,
} from "../../database/sql.ts";
import { Refusal } from "../../refusal.ts";
import { MAILING_STATUS_SQL, type MailingStatus } from "../../registrations/facts.ts";
import { daysAfter, isoOf, shownTime } from "../../time.ts";
import { readWaves, type Wave } from "../waves.ts";
import { type EmailRow, reasonNotToSend } from "./email.ts";
import { MOST_REQUESTS, requestEmails } from "./requests.ts";

/**
 * Requeues emails under their old ids, due now or when their wave starts. The order is random, because many
 * refusals in a row would look like a blocked sender.
 */
function queueAgain(now: Date): Statement {
	const second = isoOf(now.getTime() - 1000).slice(0, -"000Z".length);
	// Uses inner digits, because random() returns an integer in SQLite and a fraction in PostgreSQL.
	const milliseconds = sql`substr(CAST(1 + random() AS TEXT), 5, 3)`;
	return sql`UPDATE email
	SET state = 'waiting', attempts = 0, ended_at = '', code = '', reason = '',
		held = CASE WHEN email.wave IN (SELECT name FROM wave WHERE state = 'paused') THEN 1 ELSE 0 END,
		next_at = COALESCE((
			SELECT starts_at FROM wave WHERE wave.name = email.wave AND starts_at > ${now.toISOString()}
		), ${second} || ${milliseconds} || 'Z')`;
}

/* An email is unknown if nobody can tell whether it was sent: the server was killed, or the database restored. */

/** Time between a backup and its restore, when emails may have been sent. ISO 8601; `from` may be ''. */
export interface RestoreGap {
	from: string;
	until: string;
}

interface NotedGap extends RestoreGap {
	settled: string;
}

const GAP: Note<NotedGap> = { name: "gap" };

export const readLatestRestoreGap = (tx: Tx) => readNote(tx, GAP);

export async function findUnsettledRestoreGap(tx: Tx): Promise<RestoreGap | undefined> {
	const gap = await readLatestRestoreGap(tx);
	return gap && gap.settled === "" ? { from: gap.from, until: gap.until } : undefined;
}

export async function addRestoreGap(tx: Tx, gap: RestoreGap): Promise<void> {
	const noted = await lockNote(tx, GAP);
	const from = noted?.settled === "" && noted.from < gap.from ? noted.from : gap.from;
	// Keeps the later end: codes expire relative to it.
	const until = noted && noted.until > gap.until ? noted.until : gap.until;
	await writeNote(tx, GAP, { from, until, settled: "" });
}

export function restoreGapAsText({ from, until }: RestoreGap): string {
	const since = from === "" ? "before" : `between ${shownTime(from)} and`;
	return `This list was restored from a backup, so it doesn't know which emails were sent ${since} ${shownTime(until)}.`;
}

export function restoreGapWarning(gap: RestoreGap): string {
	return `${restoreGapAsText(gap)} Some people may already have gotten theirs.`;
}

export async function refuseWhileEmailsUnknown(tx: Tx): Promise<void> {
	const gap = await findUnsettledRestoreGap(tx);
	if (!gap) return;
	throw new Refusal(
		[
			`Nothing was sent. ${restoreGapWarning(gap)}`,
			"Mark sent emails from your mail provider's log: `waitlist sent --file log.csv`, with --wave for",
			"a wave that the backup lacks. When all are marked: `waitlist sent --complete`.",
			"Or send on the command line with --despite-gap, which may send duplicates to some people.",
		].join("\n"),
	);
}

/** Marks the restore gap as settled, and requeues emails that were assumed sent in it. Returns their number. */
export async function settleRestoreGap(tx: Tx, now: Date): Promise<number> {
	const gap = await lockNote(tx, GAP);
	if (gap?.settled === "") await writeNote(tx, GAP, { ...gap, settled: now.toISOString() });
	const queued = await tx.all(sql`${queueAgain(now)}, expires_at = ''
		WHERE state = 'unknown' AND reason = 'assumed' AND redeemed_at = '' RETURNING email_key`);
	return queued.length;
}

export async function readLatestActivity(tx: Tx): Promise<string> {
	const row = await tx.first(sql<{ latest: string }>`SELECT COALESCE(max(time), '') AS latest FROM (
			SELECT max(joined_at) AS time FROM registration
			UNION ALL SELECT max(ended_at) FROM email WHERE ended_at <> ''
			UNION ALL SELECT max(changed_at) FROM wave
		) AS times`);
	return row!.latest;
}

export const readUnknownEmails = (tx: Tx) =>
	tx.all(sql<{
		email: string;
		kind: string;
		time: string;
	}>`SELECT registration.email, kind, ended_at AS time FROM email
		JOIN registration ON registration.email_key = email.email_key
		WHERE state = 'unknown' ORDER BY ended_at, email.email_key`);

export const countAssumedSent = (tx: Tx) =>
	countRows(tx, sql`email WHERE state = 'unknown' AND reason = 'assumed'`);

interface Which {
	keys?: readonly string[] | undefined;
	refused?: boolean;
}

type Lost = MailingStatus &
	Pick<EmailRow, "key" | "kind" | "wave" | "redeemedAt"> & { waveState: Wave["state"] | null };

async function readLost(tx: Tx, { keys, refused }: Which) {
	const lost = await tx.all(sql<Lost>`SELECT email.email_key AS "key", email.kind, email.wave,
			redeemed_at AS "redeemedAt", wave.state AS "waveState", ${MAILING_STATUS_SQL}
		FROM email JOIN registration ON registration.email_key = email.email_key
		LEFT JOIN wave ON wave.name = email.wave
		WHERE ${refused ? sql`email.state IN ('unknown', 'refused')` : sql`email.state = 'unknown'`}
			AND ${keys ? sql`email.email_key IN ${keysSql(keys)}` : sql`TRUE`}`);
	return lost.filter((email) => reasonNotToSend(email, email) === "");
}

/** Requeues unknown or refused emails, and returns their recipients' keys. `also` runs if there are any. */
export async function retryEmails(
	tx: Tx,
	{ now, also, ...which }: Which & { now: Date; also: readonly Statement[] },
): Promise<string[]> {
	const lost = await readLost(tx, which);
	if (lost.length === 0) return [];
	const rows = lost.map(({ key, kind, wave }) => [key, kind, wave]);
	await tx.all(sql`${queueAgain(now)} FROM ${rowsSql(rows)}
		WHERE email_key = value->>0 AND kind = value->>1 AND wave = value->>2
			AND state IN ('unknown', 'refused')`);
	await runEach(tx, also);
	return keysOf(lost);
}

/** Resends unknown and refused emails; other people may get a confirmation email. Returns the recipients' keys. */
export async function resendEmails(
	database: SharedDatabase,
	keys: readonly string[],
	{ now, also }: { now: Date; also: readonly Statement[] },
): Promise<string[]> {
	const retried = await database.transact(retryEmails, { keys, refused: true, now, also });
	const others = keys.filter((key) => !retried.includes(key));
	const asking = { kind: "confirm" as const, keys: others, now: now.getTime() };
	const requested = await database.transact(requestEmails, asking);
	if (retried.length === 0 && requested.length > 0) await database.transact(runEach, also);
	return [...retried, ...requested];
}

/** Marks people's unknown emails as sent. With `wave`, adds that wave's emails where they are missing. */
export async function recordSentEmails(
	tx: Tx,
	{ keys, wave, now }: { keys: readonly string[]; wave: Wave | undefined; now: Date },
): Promise<number> {
	const people = keysSql(keys);
	if (!wave) return markSent(tx, sql`state = 'unknown' AND email_key IN ${people}`, now);
	const ofWave = sql`wave = ${wave.name} AND state IN ('unknown', 'waiting', 'deferred')
		AND email_key IN ${people}`;
	const marked = await markSent(tx, ofWave, now);
	const time = now.toISOString();
	const expiresAt = wave.kind === "invitation" ? daysAfter(now.getTime(), wave.validDays) : "";
	const added = await tx.all(sql`INSERT INTO email
				(email_key, kind, wave, state, reason, asked_at, next_at, ended_at, expires_at, queue)
			SELECT email_key, ${wave.kind}, ${wave.name}, 'accepted', 'told', ${time}, ${time}, ${time},
				${expiresAt}, CASE confirmed_at WHEN '' THEN 'unconfirmed' ELSE 'confirmed' END
			FROM registration WHERE email_key IN ${people} FOR UPDATE SKIP LOCKED
			ON CONFLICT (email_key, kind, wave) DO NOTHING RETURNING email_key`);
	return marked + added.length;
}

async function markSent(tx: Tx, which: Statement, now: Date): Promise<number> {
	const time = now.toISOString();
	type Row = Pick<EmailRow, "kind" | "expiresAt">;
	const marked = await tx.all(sql<Row>`UPDATE email
		SET state = 'accepted', reason = 'told', held = 0,
			ended_at = CASE ended_at WHEN '' THEN ${time} ELSE ended_at END
		WHERE ${which} RETURNING kind, expires_at AS "expiresAt"`);
	// Runs only if a code lacks its expiry, because `expireCodes` reads all emails of each wave.
	const isMissing = marked.some(({ kind, expiresAt }) => kind === "invitation" && expiresAt === "");
	if (isMissing) await expireCodes(tx, now);
	return marked.length;
}

/** Makes unsent emails unknown: they may have been sent since the backup. */
export async function markAssumedSent(tx: Tx, time: string): Promise<void> {
	const asks = raw(MOST_REQUESTS - 1);
	await tx.all(sql`UPDATE email SET state = 'unknown', reason = 'assumed', held = 0,
			lease_until = '', ended_at = ${time}, expires_at = '',
			asks = CASE WHEN wave = '' AND asks < ${asks} THEN ${asks} ELSE asks END
		WHERE state IN ('waiting', 'deferred', 'sending')`);
	await expireCodes(tx, new Date(time));
}

/** Sets missing expiries of codes. @param now latest time at which the emails may have been sent */
async function expireCodes(tx: Tx, now: Date): Promise<void> {
	for (const { name, kind, validDays } of await readWaves(tx)) {
		if (kind !== "invitation") continue;
		await tx.all(sql`UPDATE email SET expires_at = ${daysAfter(now.getTime(), validDays)}
			WHERE wave = ${name} AND wave <> '' AND state IN ('accepted', 'unknown') AND expires_at = ''`);
	}
}
