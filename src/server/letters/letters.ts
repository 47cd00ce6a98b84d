import type { Query } from "../database/database.ts";
import { type Dialect, keysAsJson, keysOf } from "../database/dialect.ts";
import { daysAfter } from "../time.ts";
import { noteGap } from "./gaps.ts";
import { ASSUMED, isAssumed, type LetterState, UNSENT } from "./letter.ts";
import { isInvitation, SENT_AT, VALID_DAYS } from "./wave.ts";

/** A letter with its state. Times are ISO 8601 in UTC with milliseconds; '' is never. */
export interface StoredLetter {
	key: string;
	kind: string;
	wave: string;
	/** 32 hexadecimal digits; '' until it is first sent. */
	id: string;
	state: LetterState;
	/** Who keeps it from being sent, as in `HELD`; 0 is nobody. */
	held: number;
	version: string;
	askedAt: string;
	asks: number;
	nextAt: string;
	attempts: number;
	claim: string;
	leaseUntil: string;
	endedAt: string;
	code: string;
	/** Of an invitation: when its code expires, and when it was redeemed. */
	expiresAt: string;
	redeemedAt: string;
	/** 1 where it belongs to a wave, and its person had not confirmed. */
	unconfirmed: number;
	/** When it was refused for a reason that may be ours, and the domain that did (trouble.ts). */
	doubtedAt: string;
	doubt: string;
}

/** Each field of a letter with its column and type, in the order of a row. */
const columns = [
	["key", "email_key", "TEXT"],
	["kind", "kind", "TEXT"],
	["wave", "wave", "TEXT"],
	["id", "id", "TEXT"],
	["state", "state", "TEXT"],
	["held", "held", "INT"],
	["version", "version", "TEXT"],
	["askedAt", "asked_at", "TEXT"],
	["asks", "asks", "INT"],
	["nextAt", "next_at", "TEXT"],
	["attempts", "attempts", "INT"],
	["claim", "claim", "TEXT"],
	["leaseUntil", "lease_until", "TEXT"],
	["endedAt", "ended_at", "TEXT"],
	["code", "code", "TEXT"],
	["expiresAt", "expires_at", "TEXT"],
	["redeemedAt", "redeemed_at", "TEXT"],
	["unconfirmed", "unconfirmed", "INT"],
	["doubtedAt", "doubted_at", "TEXT"],
	["doubt", "doubt", "TEXT"],
] as const satisfies readonly (readonly [keyof StoredLetter, string, string])[];

type Column = (typeof columns)[number][1];

const NAMES = columns.map(([, column]) => column);

/** SQL for a column of a row in JSON. */
function ofRow(column: Column): string {
	const n = NAMES.indexOf(column);
	return `CAST(value->>${n} AS ${columns[n]![2]})`;
}

/** SQL for a letter whose person gets none: they left, bounced, or have nothing left to confirm or redeem. */
export const UNWANTED = `(EXISTS (
	SELECT 1 FROM recipient WHERE recipient.email_key = letter.email_key AND (
		left_at <> '' OR bounced_at <> '' OR (letter.kind = 'confirm' AND confirmed_at <> '')
	)
) OR letter.redeemed_at <> '')`;

/** Whether there is any letter. */
export async function hasLetters(query: Query): Promise<boolean> {
	return (await query("SELECT 1 AS one FROM letter LIMIT 1")).length > 0;
}

/** How many letters there are. */
export async function countLetters(query: Query): Promise<number> {
	const [row] = await query<{ total: number }>(
		"SELECT CAST(count(*) AS INTEGER) AS total FROM letter",
	);
	return row!.total;
}

/** The letters of people, in the order of kind and wave. */
export function lettersOf(
	query: Query,
	{ jsonRows }: Dialect,
	keys: readonly string[],
): Promise<StoredLetter[]> {
	return query(
		`SELECT ${columns.map(([field, column]) => `${column} AS "${field}"`).join(", ")} FROM letter
		WHERE email_key IN (SELECT value->>0 FROM ${jsonRows}) ORDER BY kind, wave`,
		[keysAsJson(keys)],
	);
}

/**
 * SQL for whether a row knows more of a letter than the database: it was asked for once more, or how
 * it ended. What waits here for nothing but its turn is ours to send. A row that only assumes knows
 * nothing of a letter that is there, and where the database itself only assumes, any other row knows
 * more.
 *
 * @param row SQL for a column of the row
 */
function knowsMore(row: (column: Column) => string): string {
	return `(${row("asked_at")} > letter.asked_at OR (${row("asked_at")} = letter.asked_at AND (
		(letter.held <> 0 AND ${UNSENT} AND ${row("state")} NOT IN ('waiting', 'deferred')
			AND ${row("code")} <> '${ASSUMED}')
		OR (letter.state = 'unknown' AND ${row("state")} IN ('accepted', 'refused'))
		OR (${isAssumed("letter")} AND ${row("code")} <> '${ASSUMED}')
	)) OR ${row("redeemed_at")} > letter.redeemed_at)`;
}

/** SQL for a column of a letter of which a row knows more. A code that was redeemed is worth nothing. */
function mergedValue(column: Column): string {
	const [row, ours] = [`excluded.${column}`, `letter.${column}`];
	return column === "redeemed_at" ? `CASE WHEN ${row} > ${ours} THEN ${row} ELSE ${ours} END` : row;
}

/**
 * Adds letters, each once. Those that are there stay, unless these know more of them.
 *
 * @returns how many were added or changed
 */
export async function mergeLetters(
	query: Query,
	{ jsonRows, insertOrder }: Dialect,
	letters: readonly StoredLetter[],
): Promise<number> {
	if (letters.length === 0) return 0;
	const merged = await query(
		`INSERT INTO letter (${NAMES.join(", ")})
		SELECT ${NAMES.map(ofRow).join(", ")} FROM ${jsonRows} WHERE true ${insertOrder}
		ON CONFLICT (email_key, kind, wave) DO UPDATE
		SET ${NAMES.slice(3).map((column) => `${column} = ${mergedValue(column)}`)}
		WHERE ${knowsMore((column) => `excluded.${column}`)} RETURNING email_key`,
		[asRows(letters)],
	);
	return merged.length;
}

/** How many of these letters are there with all that these know of them. */
export async function countKeptLetters(
	query: Query,
	{ jsonRows }: Dialect,
	letters: readonly StoredLetter[],
): Promise<number> {
	const [row] = await query<{ kept: number }>(
		`SELECT CAST(count(*) AS INTEGER) AS kept FROM ${jsonRows} JOIN letter ON letter.email_key = value->>0
			AND kind = value->>1 AND wave = value->>2
		WHERE NOT ${knowsMore(ofRow)}`,
		[asRows(letters)],
	);
	return row!.kept;
}

/** Ends letters to people who have left: what waits for the operator, and what was asked for before. */
export async function refuseOfLeft(
	query: Query,
	{ jsonRows }: Dialect,
	keys: readonly string[],
	now: Date,
): Promise<void> {
	await query(
		`UPDATE letter SET state = 'refused', code = 'left', held = 0, ended_at = $2
		WHERE ${UNSENT} AND email_key IN (SELECT value->>0 FROM ${jsonRows}) AND EXISTS (
			SELECT 1 FROM recipient WHERE recipient.email_key = letter.email_key
				AND left_at <> '' AND (letter.held <> 0 OR left_at >= letter.asked_at)
		)`,
		[keysAsJson(keys), now.toISOString()],
	);
}

/** The people whose invitation went out before a time, ISO 8601, a page at a time. */
export async function* pagesOfInvited(query: Query, before: string): AsyncGenerator<string[]> {
	for (let after = { sentAt: "", key: "" }; ; ) {
		const page = await query<typeof after>(
			`SELECT email_key AS "key", ended_at AS "sentAt" FROM letter
			WHERE ended_at <> '' AND (ended_at, email_key) > ($1, $2) AND ended_at < $3
				AND ${isInvitation("letter")} AND ${SENT_AT} <> ''
			ORDER BY ended_at, email_key LIMIT 200`,
			[after.sentAt, after.key, before],
		);
		if (page.length > 0) yield keysOf(page);
		if (page.length < 200) return;
		after = page.at(-1)!;
	}
}

/** An invitation as an export has it. Times are ISO 8601; '' is never. */
export interface KnownInvitation {
	key: string;
	wave: string;
	/** When its letter went out; '' where it was still to be sent. */
	invitedAt: string;
	/** When it may have gone out: nobody knows whether it arrived. */
	unknownAt: string;
	expiresAt: string;
	redeemedAt: string;
}

/**
 * When a code is worth nothing any more. An export knows no state of waves, so a wave that was
 * cancelled ends its codes.
 */
const ENDS_AT = `CASE WHEN wave.state = 'cancelled' AND wave.changed_at < expires_at
	THEN wave.changed_at ELSE expires_at END`;

/** SQL for a letter of which nobody knows whether it arrived. */
const MAY_HAVE_ARRIVED = "letter.state = 'unknown' AND letter.redeemed_at = ''";

/** The invitations of people, each person's latest one. */
export function invitationsOf(
	query: Query,
	{ jsonRows }: Dialect,
	keys: readonly string[],
): Promise<KnownInvitation[]> {
	return query(
		`SELECT email_key AS "key", letter.wave, ${ENDS_AT} AS "expiresAt",
			redeemed_at AS "redeemedAt",
			CASE WHEN ${MAY_HAVE_ARRIVED} THEN '' ELSE ${SENT_AT} END AS "invitedAt",
			CASE WHEN ${MAY_HAVE_ARRIVED} THEN ended_at ELSE '' END AS "unknownAt"
		FROM letter JOIN wave ON wave.name = letter.wave
		WHERE email_key IN (SELECT value->>0 FROM ${jsonRows}) AND ${isInvitation("letter")}
		ORDER BY letter.asked_at`,
		[keysAsJson(keys)],
	);
}

/**
 * Adds invitations from an export, with the waves that are missing. The list that it was written from
 * may have sent letters since: that is a gap, and an invitation that was still to be sent is unknown.
 * Whoever has one here keeps it, but a code that was redeemed there is redeemed.
 *
 * @returns how many were added of which nobody knows whether they went out
 */
export async function addInvitations(
	query: Query,
	{ jsonRows, insertOrder }: Dialect,
	invitations: readonly KnownInvitation[],
	now: Date,
): Promise<number> {
	if (invitations.length === 0) return 0;
	const expiresNow = daysAfter(now.getTime(), VALID_DAYS);
	const all = invitations.map(({ key, wave, invitedAt, unknownAt, expiresAt, redeemedAt }) => {
		const sentAt = invitedAt || unknownAt;
		if (sentAt === "") {
			return [key, wave, now.toISOString(), expiresNow, redeemedAt, "unknown", ASSUMED];
		}
		const state = invitedAt === "" && redeemedAt === "" ? "unknown" : "accepted";
		return [key, wave, sentAt, expiresAt, redeemedAt, state, ""];
	});
	const rows = JSON.stringify(all);
	// Of several lines of one person the first brings the invitation.
	const firsts = [...new Map(all.toReversed().map((row) => [row[0], row])).values()];
	await query(
		`INSERT INTO wave (name, kind, state, asked_at, changed_at, size, starts_at, valid_days,
			subject, message)
		SELECT value->>1, 'invitation', 'open', min(value->>2), $2, 0, min(value->>2), ${VALID_DAYS},
			'', ''
		FROM ${jsonRows} WHERE true GROUP BY 1 ON CONFLICT (name) DO NOTHING`,
		[rows, now.toISOString()],
	);
	const added = await query<{ state: LetterState }>(
		`INSERT INTO letter (email_key, kind, wave, state, code, asked_at, next_at, ended_at, expires_at,
			redeemed_at)
		SELECT value->>0, 'invitation', value->>1, value->>5, value->>6, value->>2, value->>2, value->>2,
			value->>3, value->>4
		FROM ${jsonRows} WHERE NOT EXISTS (
			SELECT 1 FROM letter WHERE letter.email_key = value->>0 AND ${isInvitation("letter")}
		) ${insertOrder}
		ON CONFLICT (email_key, kind, wave) DO NOTHING RETURNING state`,
		[JSON.stringify(firsts)],
	);
	await query(
		`UPDATE letter SET redeemed_at = (
			SELECT max(value->>4) FROM ${jsonRows} WHERE value->>0 = email_key AND value->>1 = wave
		) WHERE redeemed_at = '' AND kind = 'invitation' AND (email_key, wave) IN (
			SELECT value->>0, value->>1 FROM ${jsonRows} WHERE value->>4 <> ''
		)`,
		[rows],
	);
	if (added.length > 0) {
		const sent = invitations.map(({ invitedAt, unknownAt }) => invitedAt || unknownAt);
		await noteGap(query, { from: sent.sort().at(-1)!, until: now.toISOString() });
	}
	return added.filter(({ state }) => state === "unknown").length;
}

function asRows(letters: readonly StoredLetter[]): string {
	return JSON.stringify(letters.map((row) => columns.map(([field]) => row[field])));
}
