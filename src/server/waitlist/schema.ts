import { EMAIL_MAX_LENGTH } from "#shared/email.ts";
import type { Joining, Registration } from "./waitlist.ts";

/** Where SQLite and PostgreSQL differ. Both understand every other word of our SQL. */
export interface Dialect {
	/** Type of a text column that compares and sorts by bytes. */
	text: string;
	/** A table of the elements of the JSON array in `$1`, each in a column named `value`. */
	jsonRows: string;
	/** Clause that orders the rows of one INSERT. */
	insertOrder: string;
	/** Clause by which a SELECT takes rows for itself and leaves out those that are taken. */
	takeRows: string;
	/** 32 random hexadecimal digits. */
	randomId: string;
	/** The time so many days after another one, both ISO 8601 in UTC with milliseconds. */
	daysAfter: (time: string, days: string) => string;
}

export const sqlite: Dialect = {
	text: "TEXT",
	jsonRows: "json_each($1)",
	insertOrder: "",
	// Its transactions run one after the other.
	takeRows: "",
	randomId: "lower(hex(randomblob(16)))",
	daysAfter: (time, days) => `strftime('%Y-%m-%dT%H:%M:%fZ', ${time}, '+' || ${days} || ' days')`,
};

export const postgres: Dialect = {
	// By default PostgreSQL sorts and searches by the rules of a language.
	text: 'TEXT COLLATE "C"',
	jsonRows: "json_array_elements($1::json) AS rows(value)",
	// By key: two transactions that lock the same rows in different orders wait for each other
	// (seven deadlocks in three seconds without the order, none with it).
	insertOrder: "ORDER BY 1",
	takeRows: "FOR UPDATE SKIP LOCKED",
	randomId: "replace(gen_random_uuid()::text, '-', '')",
	daysAfter: (time, days) =>
		`to_char(CAST(${time} AS timestamptz) AT TIME ZONE 'UTC' + ${days} * INTERVAL '1 day',
			'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`,
};

/** By the kind of a database. */
export const dialects = { sqlite, postgres };

/** What `fold` of src/shared/email.ts changed when it came. The letters of the second text replace those of the first. */
const [UNFOLDED, FOLDED] = ["µſςϐϑϕϖϰϱϵᲀᲁᲂᲃᲄᲅᲆᲇᲈẛ", "μsσβθφπκρεвдосттъѣꙋṡ"] as const;

/** SQL for the key of a row by that rule. */
const FOLDED_KEY = Array.from(UNFOLDED).reduce(
	(sql, letter, n) => `replace(${sql}, '${letter}', '${FOLDED[n]}')`,
	"email_key",
);

/** Whether that is another key. The lengths come first: they tell ASCII, which is nearly all rows. */
const IS_UNFOLDED = `(octet_length(email_key) <> length(email_key) AND ${FOLDED_KEY} <> email_key)`;

/**
 * The schema, as the steps that lead to it. Add steps at the end and never change one: a database
 * remembers only how many it has taken.
 *
 * Keys are computed in JavaScript, because databases disagree about lower case (SQLite knows only
 * ASCII, and `İ` differs everywhere). The key is the primary key, because distributed databases
 * place a row by it and demand it in every unique constraint.
 */
const migrations: readonly ((dialect: Dialect) => string)[] = [
	({ text }) => `CREATE TABLE registration (
		email_key  ${text} PRIMARY KEY,
		email      ${text} NOT NULL,
		source     ${text} NOT NULL,
		created_at ${text} NOT NULL,
		terms      ${text} NOT NULL
	);
	CREATE INDEX registration_created_at ON registration (created_at);`,

	// The indexes serve counts and exports: by time, by source, of flagged rows.
	({ text }) => `ALTER TABLE registration ADD COLUMN flags ${text} NOT NULL DEFAULT '';
	DROP INDEX registration_created_at;
	CREATE INDEX registration_by_time ON registration (created_at, email_key);
	CREATE INDEX registration_by_source ON registration (source, created_at);
	CREATE INDEX registration_flagged ON registration (flags) WHERE flags <> '';
	CREATE TABLE erasure (
		code      ${text} NOT NULL,
		erased_at ${text} NOT NULL,
		reason    ${text} NOT NULL,
		PRIMARY KEY (code, erased_at)
	);`,

	// One row at most: which key the proofs are made with.
	({ text }) => `CREATE TABLE erasure_key (
		one         INT PRIMARY KEY,
		fingerprint ${text} NOT NULL
	);`,

	// Keys of before the e-mail rule folded case. Of two rows with one key the first to join stays.
	() => `DELETE FROM registration WHERE email_key IN (
		SELECT email_key FROM (
			SELECT email_key, row_number()
				OVER (PARTITION BY ${FOLDED_KEY} ORDER BY created_at, email_key) AS nth
			FROM registration WHERE ${IS_UNFOLDED}
				OR email_key IN (SELECT ${FOLDED_KEY} FROM registration WHERE ${IS_UNFOLDED})
		) AS same WHERE nth > 1
	);
	UPDATE registration SET email_key = ${FOLDED_KEY} WHERE ${IS_UNFOLDED};`,

	// Letters, and to whom: see src/server/letters. An empty text is a time that has not come. The
	// partial indexes hold what is to be sent and what is being sent, however many letters are done.
	({ text }) => `CREATE TABLE recipient (
		email_key    ${text} PRIMARY KEY,
		id           ${text} NOT NULL,
		confirmed_at ${text} NOT NULL DEFAULT '',
		confirmed_by ${text} NOT NULL DEFAULT '',
		left_at      ${text} NOT NULL DEFAULT '',
		bounced_at   ${text} NOT NULL DEFAULT '',
		bounce       ${text} NOT NULL DEFAULT ''
	);
	CREATE UNIQUE INDEX recipient_by_id ON recipient (id);
	CREATE TABLE letter (
		kind         ${text} NOT NULL,
		wave         ${text} NOT NULL,
		email_key    ${text} NOT NULL,
		id           ${text} NOT NULL DEFAULT '',
		state        ${text} NOT NULL,
		held         INT NOT NULL DEFAULT 0,
		version      ${text} NOT NULL DEFAULT '',
		asked_at     ${text} NOT NULL,
		asks         INT NOT NULL DEFAULT 1,
		next_at      ${text} NOT NULL,
		attempts     INT NOT NULL DEFAULT 0,
		claim        ${text} NOT NULL DEFAULT '',
		lease_until  ${text} NOT NULL DEFAULT '',
		ended_at     ${text} NOT NULL DEFAULT '',
		code         ${text} NOT NULL DEFAULT '',
		PRIMARY KEY (email_key, kind, wave)
	);
	CREATE UNIQUE INDEX letter_by_id ON letter (id) WHERE id <> '';
	CREATE INDEX letter_to_send ON letter (next_at)
		WHERE held = 0 AND state IN ('waiting', 'deferred');
	CREATE INDEX letter_under_way ON letter (lease_until) WHERE state = 'sending';
	CREATE INDEX letter_ended ON letter (ended_at) WHERE ended_at <> '';
	CREATE TABLE outbox (
		one          INT PRIMARY KEY,
		free_at      BIGINT NOT NULL DEFAULT 0,
		paused_until ${text} NOT NULL DEFAULT '',
		reason       ${text} NOT NULL DEFAULT '',
		released_at  ${text} NOT NULL DEFAULT ''
	);`,

	// Letters to many at once: see src/server/letters/wave.ts. The letters of a wave have indexes of
	// their own, which cost a join nothing. What is to be sent is apart, so that whoever joins is asked
	// before a wave has gone out; the other has what `waves` counts, so that it reads no letter.
	({ text }) => `CREATE TABLE wave (
		name         ${text} PRIMARY KEY,
		kind         ${text} NOT NULL,
		state        ${text} NOT NULL,
		asked_at     ${text} NOT NULL,
		changed_at   ${text} NOT NULL,
		size         INT NOT NULL,
		starts_at    ${text} NOT NULL,
		valid_days   INT NOT NULL,
		subject      ${text} NOT NULL,
		message      ${text} NOT NULL
	);
	ALTER TABLE letter ADD COLUMN expires_at ${text} NOT NULL DEFAULT '';
	ALTER TABLE letter ADD COLUMN redeemed_at ${text} NOT NULL DEFAULT '';
	DROP INDEX letter_to_send;
	CREATE INDEX letter_to_send ON letter (next_at)
		WHERE wave = '' AND held = 0 AND state IN ('waiting', 'deferred');
	CREATE INDEX letter_of_wave_to_send ON letter (next_at)
		WHERE wave <> '' AND held = 0 AND state IN ('waiting', 'deferred');
	CREATE INDEX letter_of_wave ON letter (wave, state, held, redeemed_at, expires_at, code)
		WHERE wave <> '';`,

	// How often the landing page was opened, by day in UTC: see src/server/visits/visits.ts.
	({ text }) => `CREATE TABLE visit_day (
		day    ${text} PRIMARY KEY,
		visits INT NOT NULL
	);`,
];

/** The version of a database that has taken every step. */
export const SCHEMA_VERSION = migrations.length;

/**
 * The SQL of the steps that a database still has to take.
 *
 * @param version how many steps it has taken
 * @throws Error when it has taken more steps than this server knows
 */
export function missingSteps(version: number, dialect: Dialect): string[] {
	if (version > SCHEMA_VERSION) throw new Error("it was written by a newer version of this server");
	return migrations.slice(version).map((step) => step(dialect));
}

/** Each field of a registration with its column, in the order of {@link valuesOf}. */
const columns = [
	["key", "email_key"],
	["email", "email"],
	["source", "source"],
	["createdAt", "created_at"],
	["terms", "terms"],
	["flags", "flags"],
] as const satisfies readonly (readonly [keyof Registration, string])[];

/** For SELECT: the columns of a registration under the names of its fields. */
export const FIELDS = columns.map(([field, column]) => `${column} AS "${field}"`).join(", ");

/** A key that no address has: there is no at sign in it. It is as long as the longest. */
export const PROBE_KEY = "probe".padEnd(EMAIL_MAX_LENGTH, "-");

/** Adds a row that is as large as the largest, to see whether the next join would find room. */
export const PROBE = `INSERT INTO registration (${columns.map(([, column]) => column).join(", ")})
	VALUES (${columns.map(() => `'${PROBE_KEY}'`).join(", ")})`;

/**
 * The statement that adds the registrations of {@link rowsAsJson} whose key is new, and gives of
 * each what is asked for.
 */
export function insertStatement(
	{ jsonRows, insertOrder }: Dialect,
	returning = 'email_key AS "key"',
): string {
	// `WHERE true` tells SQLite that ON belongs to the INSERT (sqlite.org/lang_upsert.html).
	return `INSERT INTO registration (${columns.map(([, column]) => column).join(", ")})
		SELECT ${columns.map((_, n) => `value->>${n}`).join(", ")}
		FROM ${jsonRows} WHERE true ${insertOrder}
		ON CONFLICT (email_key) DO NOTHING
		RETURNING ${returning}`;
}

/** Joining as it is without letters. */
export function join(dialect: Dialect): Joining {
	const sql = insertStatement(dialect);
	return (rows) => [{ sql, parameters: [rows] }];
}

/** The keys that {@link insertStatement} returned. */
export function keysOf(added: readonly { key: string }[]): string[] {
	return added.map(({ key }) => key);
}

/** Registrations as the one parameter of {@link insertStatement}. */
export function rowsAsJson(registrations: readonly Registration[]): string {
	return JSON.stringify(registrations.map(valuesOf));
}

/** Keys as rows of one column, for {@link Dialect.jsonRows}. */
export function keysAsJson(keys: Iterable<string>): string {
	return JSON.stringify(Array.from(keys, (key) => [key]));
}

/** The values of a registration, in the order of its columns. */
export function valuesOf({ key, email, source, createdAt, terms, flags }: Registration): string[] {
	return [key, email, source, createdAt, terms, flags];
}
