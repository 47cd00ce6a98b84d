import type { Dialect } from "./dialect.ts";

/** The table of which no copy is made: what it counts is over in a day. */
export const ASKED_MAILBOX = "asked_mailbox";

/**
 * The tables as they are now, which an empty database gets. An earlier one takes the steps of
 * schema-steps.ts, which lead to the same: a change is made here and as a step there, and a new column
 * is the last of its table in both. An empty text is a time that has not come.
 *
 * Keys are computed in JavaScript, because databases disagree about lower case (SQLite knows only
 * ASCII, and `İ` differs everywhere). The key is the primary key, because distributed databases
 * place a row by it and demand it in every unique constraint.
 */
export const tables = ({ text }: Dialect) => `
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

	-- Proofs that somebody was erased, or left: no address, only a keyed hash of it.
	CREATE TABLE erasure (
		code      ${text} NOT NULL,
		erased_at ${text} NOT NULL,
		reason    ${text} NOT NULL,
		PRIMARY KEY (code, erased_at)
	);

	-- One row at most: which key the proofs are made with.
	CREATE TABLE erasure_key (
		one         INT PRIMARY KEY,
		fingerprint ${text} NOT NULL
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
		mailbox      ${text} NOT NULL DEFAULT ''
	);
	CREATE UNIQUE INDEX recipient_by_id ON recipient (id);
	CREATE INDEX recipient_left ON recipient (mailbox) WHERE left_at <> '';

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
		doubted_at   ${text} NOT NULL DEFAULT '',
		doubt        ${text} NOT NULL DEFAULT '',
		unconfirmed  INT NOT NULL DEFAULT 0,
		PRIMARY KEY (email_key, kind, wave)
	);
	-- In the order of the steps, so that PostgreSQL plans alike on new and on earlier databases.
	CREATE UNIQUE INDEX letter_by_id ON letter (id) WHERE id <> '';
	CREATE INDEX letter_under_way ON letter (lease_until) WHERE state = 'sending';
	CREATE INDEX letter_ended ON letter (ended_at) WHERE ended_at <> '';
	-- Letters of waves are apart, so that whoever joins is asked before a wave has gone out.
	CREATE INDEX letter_to_send ON letter (next_at)
		WHERE wave = '' AND held = 0 AND state IN ('waiting', 'deferred');
	-- All that is counted by wave, so that it reads no letter.
	CREATE INDEX letter_of_wave ON letter (wave, state, held, redeemed_at, expires_at, code)
		WHERE wave <> '';
	CREATE INDEX letter_doubted ON letter (doubted_at, doubt) WHERE doubted_at <> '';
	CREATE INDEX letter_of_wave_to_send ON letter (unconfirmed, next_at)
		WHERE wave <> '' AND held = 0 AND state IN ('waiting', 'deferred');
	CREATE INDEX letter_ended_asking ON letter (ended_at) WHERE wave = '' AND ended_at <> '';
	CREATE INDEX letter_ended_of_wave ON letter (unconfirmed, ended_at)
		WHERE wave <> '' AND ended_at <> '';

	-- One row at most, which a sender locks: rate, ramp and pause of all copies of the server. free_at
	-- and spread are in µs.
	CREATE TABLE outbox (
		one          INT PRIMARY KEY,
		free_at      BIGINT NOT NULL DEFAULT 0,
		paused_until ${text} NOT NULL DEFAULT '',
		reason       ${text} NOT NULL DEFAULT '',
		released_at  ${text} NOT NULL DEFAULT '',
		spread       BIGINT NOT NULL DEFAULT 0,
		cause        ${text} NOT NULL DEFAULT 'operator',
		pauses       INT NOT NULL DEFAULT 0,
		passed_at    ${text} NOT NULL DEFAULT '',
		step         INT NOT NULL DEFAULT 0,
		stepped_at   ${text} NOT NULL DEFAULT ''
	);

	-- Streams of letters that are slowed while many addresses do not exist.
	CREATE TABLE brake (
		stream     ${text} PRIMARY KEY,
		slowed     INT NOT NULL,
		letters    INT NOT NULL,
		dead       INT NOT NULL,
		free_at    BIGINT NOT NULL DEFAULT 0,
		complaints INT NOT NULL DEFAULT 0
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

	-- Times of which nobody knows what was sent, by their ends.
	CREATE TABLE gap (
		until_at   ${text} PRIMARY KEY,
		from_at    ${text} NOT NULL,
		settled_at ${text} NOT NULL DEFAULT ''
	);

	-- One row at most.
	CREATE TABLE last_backup (
		one     INT PRIMARY KEY,
		made_at ${text} NOT NULL,
		file    ${text} NOT NULL
	);

	-- How often the landing page was opened, by day in UTC.
	CREATE TABLE visit_day (
		day    ${text} PRIMARY KEY,
		visits INT NOT NULL
	);
`;
