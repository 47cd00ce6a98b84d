import type { Dialect } from "./dialect.ts";

/** Tables that are not copied: a copied waitlist must not send events a second time. */
export const TABLES_NOT_COPIED: readonly string[] = ["event"];

/** The tables. An empty time means "not yet". `canonicalizeEmail` computes the keys. */
export const tablesSql = ({ text, sequence }: Dialect) => `
	-- One person.
	CREATE TABLE registration (
		email_key       ${text} PRIMARY KEY,
		email           ${text} NOT NULL,
		source          ${text} NOT NULL,
		joined_at       ${text} NOT NULL,
		terms           ${text} NOT NULL,
		flag            ${text} NOT NULL DEFAULT '',
		-- Mailbox behind the address, or '' if it equals the key.
		mailbox         ${text} NOT NULL DEFAULT '',
		-- Signed in links. A sequence number could mean another person after a restore.
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
	-- For lists, exports and counts, each in index order.
	CREATE INDEX registration_by_time ON registration (joined_at, email_key);
	CREATE INDEX registration_by_source ON registration (source, joined_at);
	CREATE INDEX registration_flagged ON registration (flag, joined_at, email_key) WHERE flag <> '';
	CREATE INDEX registration_confirmed ON registration (confirmed_at, email_key)
		WHERE confirmed_at <> '' AND unsubscribed_at = '';
	CREATE INDEX registration_unsubscribed ON registration (unsubscribed_at, email_key)
		WHERE unsubscribed_at <> '';
	CREATE INDEX registration_bounced ON registration (bounced_at, email_key) WHERE bounced_at <> '';

	-- Deleted or unsubscribed people: keyed hashes, no addresses.
	CREATE TABLE suppression (
		hash   ${text} PRIMARY KEY,
		at     ${text} NOT NULL,
		reason ${text} NOT NULL,
		key    ${text} NOT NULL
	);

	-- One email to one person. Emails that people request have no wave.
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
	-- Counts by state, and emails that need attention.
	CREATE INDEX email_accepted ON email (wave, kind) WHERE state = 'accepted';
	CREATE INDEX email_troubled ON email (state, next_at, attempts, kind)
		WHERE state = 'deferred' OR state = 'refused' OR state = 'unknown';
	CREATE INDEX email_held ON email (held, kind, state)
		WHERE held <> 0 AND state IN ('waiting', 'deferred');
	-- For wave lists, and for wave counts, which are index-only scans.
	CREATE INDEX email_of_wave_by_person ON email (wave, email_key) WHERE wave <> '';
	CREATE INDEX email_of_wave ON email (wave, state, held, redeemed_at, expires_at, reason)
		WHERE wave <> '';

	-- Batches of invitations or news.
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

	-- Named JSON values (notes.ts).
	CREATE TABLE note (
		name  ${text} PRIMARY KEY,
		value ${text} NOT NULL
	);

	-- Landing page visits by UTC day.
	CREATE TABLE visit_day (
		day    ${text} PRIMARY KEY,
		visits INT NOT NULL
	);

	-- Texts that people saw, by the versions that registrations and emails name.
	CREATE TABLE wording (
		version  ${text} PRIMARY KEY,
		kind     ${text} NOT NULL,
		said     ${text} NOT NULL,
		leads_to ${text} NOT NULL,
		kept_at  ${text} NOT NULL
	);

	-- The founder's actions on the admin pages and by command, without addresses.
	CREATE TABLE audit (
		at      ${text} NOT NULL,
		id      ${text} NOT NULL,
		session ${text} NOT NULL,
		action  ${text} NOT NULL,
		details ${text} NOT NULL,
		PRIMARY KEY (at, id)
	);

	-- Undelivered events, in order.
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

/** Migrations, starting from an empty database. A release appends new ones. */
const steps: readonly ((dialect: Dialect) => string)[] = [tablesSql];

export const SCHEMA_VERSION = steps.length;

/** @throws Error if a newer server migrated the database */
export function pendingMigrations(version: number, dialect: Dialect): string[] {
	if (version > SCHEMA_VERSION) throw new Error("it was written by a newer version of this server");
	return steps.slice(version).map((step) => step(dialect));
}
