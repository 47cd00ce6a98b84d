import type { Dialect } from "./dialect.ts";

/** The tables of which no copy is made: a copy of the list must not send events a second time. */
export const NOT_COPIED: readonly string[] = ["event", "webhook"];

/**
 * The tables. An empty text is a time that has not come.
 *
 * Keys are computed by `canonicalEmail` (src/shared/email.ts), because databases disagree about lower
 * case (SQLite knows only ASCII, and `İ` differs everywhere). The key is the primary key, because
 * distributed databases place a row by it and demand it in every unique constraint.
 */
export const tables = ({ text, sequence }: Dialect) => `
	-- One person.
	CREATE TABLE registration (
		email_key       ${text} PRIMARY KEY,
		email           ${text} NOT NULL,
		source          ${text} NOT NULL,
		joined_at       ${text} NOT NULL,
		terms           ${text} NOT NULL,
		flag            ${text} NOT NULL DEFAULT '',
		-- The mailbox behind the address, where it differs from the key.
		mailbox         ${text} NOT NULL DEFAULT '',
		-- Signed by links. A number would name somebody else after a restore.
		id              ${text} NOT NULL,
		confirmed_at    ${text} NOT NULL DEFAULT '',
		confirmed_by    ${text} NOT NULL DEFAULT '',
		page            ${text} NOT NULL DEFAULT '',
		unsubscribed_at ${text} NOT NULL DEFAULT '',
		bounced_at      ${text} NOT NULL DEFAULT '',
		bounce          ${text} NOT NULL DEFAULT ''
	);
	CREATE UNIQUE INDEX registration_by_id ON registration (id);
	CREATE INDEX registration_by_mailbox ON registration (mailbox) WHERE mailbox <> '';
	-- For lists, exports and counts, each in the order of its index.
	CREATE INDEX registration_by_time ON registration (joined_at, email_key);
	CREATE INDEX registration_by_source ON registration (source, joined_at);
	CREATE INDEX registration_flagged ON registration (flag, joined_at, email_key) WHERE flag <> '';
	CREATE INDEX registration_confirmed ON registration (confirmed_at, email_key)
		WHERE confirmed_at <> '' AND unsubscribed_at = '';
	CREATE INDEX registration_unsubscribed ON registration (unsubscribed_at, email_key)
		WHERE unsubscribed_at <> '';
	CREATE INDEX registration_bounced ON registration (bounced_at, email_key) WHERE bounced_at <> '';

	-- Who was deleted or unsubscribed: no address, only a keyed hash of it.
	CREATE TABLE suppression (
		hash   ${text} PRIMARY KEY,
		at     ${text} NOT NULL,
		reason ${text} NOT NULL,
		key    ${text} NOT NULL
	);

	-- One email to one person. Only emails that people request have no wave.
	CREATE TABLE email (
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
		queue        ${text} NOT NULL DEFAULT 'requested',
		reason       ${text} NOT NULL DEFAULT '',
		PRIMARY KEY (email_key, kind, wave)
	);
	CREATE UNIQUE INDEX email_by_id ON email (id) WHERE id <> '';
	CREATE INDEX email_sending ON email (lease_until) WHERE state = 'sending';
	CREATE INDEX email_to_send ON email (queue, next_at)
		WHERE held = 0 AND state IN ('waiting', 'deferred');
	CREATE INDEX email_ended ON email (queue, ended_at) WHERE ended_at <> '';
	-- Counts by state, and emails that need a look.
	CREATE INDEX email_accepted ON email (wave, kind) WHERE state = 'accepted';
	CREATE INDEX email_troubled ON email (state, next_at, attempts, kind)
		WHERE state = 'deferred' OR state = 'refused' OR state = 'unknown';
	CREATE INDEX email_held ON email (held, kind, state)
		WHERE held <> 0 AND state IN ('waiting', 'deferred');
	-- For lists of a wave, and for its counts, which read no row.
	CREATE INDEX email_of_wave_by_person ON email (wave, email_key) WHERE wave <> '';
	CREATE INDEX email_of_wave ON email (wave, state, held, redeemed_at, expires_at, reason)
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

	-- Emails to many at once.
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

	-- What people were shown, by the versions that registrations and emails name.
	CREATE TABLE wording (
		version  ${text} PRIMARY KEY,
		kind     ${text} NOT NULL,
		said     ${text} NOT NULL,
		leads_to ${text} NOT NULL,
		kept_at  ${text} NOT NULL
	);

	-- What the founder did, on the admin pages or by command, without an address.
	CREATE TABLE audit (
		at      ${text} NOT NULL,
		id      ${text} NOT NULL,
		session ${text} NOT NULL,
		action  ${text} NOT NULL,
		details ${text} NOT NULL,
		PRIMARY KEY (at, id)
	);

	-- One row while a server has an address for events: changes then add events.
	CREATE TABLE webhook (
		one INT PRIMARY KEY
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
