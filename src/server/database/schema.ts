import type { Dialect } from "./dialect.ts";

/** What it counts is over in a day. */
export const ASKED_MAILBOX = "asked_mailbox";

/** The tables of which no copy is made: a copy of the list must not send events a second time. */
export const NOT_COPIED: readonly string[] = [ASKED_MAILBOX, "event", "webhook"];

/**
 * The tables. An empty text is a time that has not come.
 *
 * Keys are computed by `canonicalEmail` (src/shared/email.ts), because databases disagree about lower
 * case (SQLite knows only ASCII, and `İ` differs everywhere). The key is the primary key, because
 * distributed databases place a row by it and demand it in every unique constraint.
 */
export const tables = ({ text, sequence }: Dialect) => `
	CREATE TABLE registration (
		email_key  ${text} PRIMARY KEY,
		email      ${text} NOT NULL,
		source     ${text} NOT NULL,
		created_at ${text} NOT NULL,
		terms      ${text} NOT NULL,
		flags      ${text} NOT NULL DEFAULT ''
	);
	-- For counts and exports: by time, by source, of flagged rows.
	CREATE INDEX registration_by_time ON registration (created_at, email_key);
	CREATE INDEX registration_by_source ON registration (source, created_at);
	CREATE INDEX registration_flagged ON registration (flags) WHERE flags <> '';
	-- For the pages of a list, each in the order of its index.
	CREATE INDEX registration_flagged_by_time ON registration (created_at, email_key)
		WHERE flags <> '';

	-- Proofs that somebody was erased, or left: no address, only a keyed hash of it.
	CREATE TABLE erasure (
		code      ${text} NOT NULL,
		erased_at ${text} NOT NULL,
		reason    ${text} NOT NULL,
		PRIMARY KEY (code, erased_at)
	);

	-- People as letters know them. The mailbox is a keyed hash, of those who have left.
	CREATE TABLE recipient (
		email_key    ${text} PRIMARY KEY,
		id           ${text} NOT NULL,
		confirmed_at ${text} NOT NULL DEFAULT '',
		confirmed_by ${text} NOT NULL DEFAULT '',
		left_at      ${text} NOT NULL DEFAULT '',
		bounced_at   ${text} NOT NULL DEFAULT '',
		bounce       ${text} NOT NULL DEFAULT '',
		mailbox      ${text} NOT NULL DEFAULT '',
		page         ${text} NOT NULL DEFAULT ''
	);
	CREATE UNIQUE INDEX recipient_by_id ON recipient (id);
	CREATE INDEX recipient_left ON recipient (mailbox) WHERE left_at <> '';
	-- For counts, and for the pages of a list.
	CREATE INDEX recipient_by_leaving ON recipient (left_at, email_key) WHERE left_at <> '';
	CREATE INDEX recipient_confirmed ON recipient (confirmed_at, email_key)
		WHERE confirmed_at <> '' AND left_at = '';
	CREATE INDEX recipient_bounced ON recipient (bounced_at, email_key) WHERE bounced_at <> '';

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
		expires_at   ${text} NOT NULL DEFAULT '',
		redeemed_at  ${text} NOT NULL DEFAULT '',
		unconfirmed  INT NOT NULL DEFAULT 0,
		reason       ${text} NOT NULL DEFAULT '',
		PRIMARY KEY (email_key, kind, wave)
	);
	-- In the order of the steps, so that PostgreSQL plans alike on new and on earlier databases.
	CREATE UNIQUE INDEX letter_by_id ON letter (id) WHERE id <> '';
	CREATE INDEX letter_under_way ON letter (lease_until) WHERE state = 'sending';
	CREATE INDEX letter_ended ON letter (ended_at) WHERE ended_at <> '';
	-- Letters of waves are apart, so that whoever joins is asked before a wave has gone out.
	CREATE INDEX letter_to_send ON letter (next_at)
		WHERE wave = '' AND held = 0 AND state IN ('waiting', 'deferred');
	CREATE INDEX letter_of_wave_to_send ON letter (unconfirmed, next_at)
		WHERE wave <> '' AND held = 0 AND state IN ('waiting', 'deferred');
	CREATE INDEX letter_ended_asking ON letter (ended_at) WHERE wave = '' AND ended_at <> '';
	CREATE INDEX letter_ended_of_wave ON letter (unconfirmed, ended_at)
		WHERE wave <> '' AND ended_at <> '';
	CREATE INDEX letter_of_wave_by_person ON letter (wave, email_key) WHERE wave <> '';
	-- Counts by state, and letters that need a look.
	CREATE INDEX letter_accepted ON letter (wave, kind) WHERE state = 'accepted';
	CREATE INDEX letter_troubled ON letter (state, next_at, attempts, kind)
		WHERE state = 'deferred' OR state = 'refused' OR state = 'unknown';
	CREATE INDEX letter_held ON letter (held, kind, state)
		WHERE held <> 0 AND state IN ('waiting', 'deferred');
	-- All that is counted by wave, so that it reads no letter.
	CREATE INDEX letter_of_wave ON letter (wave, state, held, redeemed_at, expires_at, reason)
		WHERE wave <> '';

	-- One row at most, which a sender locks: the sending rate of all copies of the server (mail/rate/outbox-row.ts).
	-- Times that end in free_at are µs since 1970.
	CREATE TABLE outbox (
		one                 INT PRIMARY KEY,
		free_at             BIGINT NOT NULL DEFAULT 0,
		paused_until        ${text} NOT NULL DEFAULT '',
		reason              ${text} NOT NULL DEFAULT '',
		cause               ${text} NOT NULL DEFAULT 'operator',
		pauses              INT NOT NULL DEFAULT 0,
		released_at         ${text} NOT NULL DEFAULT '',
		step                INT NOT NULL DEFAULT 0,
		stepped_at          ${text} NOT NULL DEFAULT '',
		passed              INT NOT NULL DEFAULT 0,
		confirmed_slowed    INT NOT NULL DEFAULT 1,
		confirmed_free_at   BIGINT NOT NULL DEFAULT 0,
		unconfirmed_slowed  INT NOT NULL DEFAULT 1,
		unconfirmed_free_at BIGINT NOT NULL DEFAULT 0
	);

	-- Letters that asked to confirm, for a day, by mailbox: without the secret, the keyed hash leads to
	-- no address.
	CREATE TABLE ${ASKED_MAILBOX} (
		letter   ${text} PRIMARY KEY,
		mailbox  ${text} NOT NULL,
		asked_at ${text} NOT NULL
	);
	CREATE INDEX ${ASKED_MAILBOX}_by_mailbox ON ${ASKED_MAILBOX} (mailbox, asked_at);

	-- Letters to many at once.
	CREATE TABLE wave (
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

	-- Single values as JSON, by their names (notes.ts).
	CREATE TABLE note (
		name  ${text} PRIMARY KEY,
		value ${text} NOT NULL
	);

	-- How often the landing page was opened, by day in UTC.
	CREATE TABLE visit_day (
		day    ${text} PRIMARY KEY,
		visits INT NOT NULL
	);

	-- What people were shown, by the versions that registrations, letters and recipients name.
	CREATE TABLE wording (
		version  ${text} PRIMARY KEY,
		kind     ${text} NOT NULL,
		said     ${text} NOT NULL,
		leads_to ${text} NOT NULL,
		kept_at  ${text} NOT NULL
	);

	-- What was done in the office, by which session, without an address.
	CREATE TABLE office_audit (
		at      ${text} NOT NULL,
		id      ${text} NOT NULL,
		session ${text} NOT NULL,
		action  ${text} NOT NULL,
		details ${text} NOT NULL,
		PRIMARY KEY (at, id)
	);

	-- One row while a server has an address for events: how its receiver is.
	CREATE TABLE webhook (
		one        INT PRIMARY KEY,
		address    ${text} NOT NULL,
		ended_at   ${text} NOT NULL DEFAULT '',
		rest_until ${text} NOT NULL DEFAULT '',
		failures   INT NOT NULL DEFAULT 0
	);

	-- Events that the receiver did not accept yet, in their order.
	CREATE TABLE event (
		seq      ${sequence},
		id       ${text} NOT NULL,
		kind     ${text} NOT NULL,
		who      ${text} NOT NULL,
		email    ${text} NOT NULL DEFAULT '',
		at       ${text} NOT NULL,
		state    ${text} NOT NULL,
		next_at  ${text} NOT NULL,
		attempts INT NOT NULL DEFAULT 0,
		code     ${text} NOT NULL DEFAULT ''
	);
	CREATE INDEX event_due ON event (next_at, seq) WHERE state = 'waiting';
	CREATE INDEX event_under_way ON event (next_at) WHERE state = 'sending';
	CREATE INDEX event_failed ON event (next_at, seq) WHERE state = 'failed';
	CREATE INDEX event_of_person ON event (who, seq);
`;

/** The steps from an empty database to the tables as they are now. A release adds its own at the end. */
const steps: readonly ((dialect: Dialect) => string)[] = [tables];

export const SCHEMA_VERSION = steps.length;

/** @throws Error when the database has taken more steps than this server knows */
export function missingSteps(version: number, dialect: Dialect): string[] {
	if (version > SCHEMA_VERSION) throw new Error("it was written by a newer version of this server");
	return steps.slice(version).map((step) => step(dialect));
}
