import type { Dialect } from "./dialect.ts";
import { FOLDED_KEY, IS_UNFOLDED } from "./folded-keys.ts";
import {
	ASKED_MAILBOX,
	COUNTED_DAY,
	DIGEST,
	EVENT,
	EVENT_BATCH,
	OFFICE_DRAFT,
	OFFICE_LINK,
	OFFICE_SESSION,
	WEBHOOK,
} from "./schema.ts";

/**
 * The steps that lead from the first schema to the tables of schema.ts. Add steps at the end and never
 * change one: a database remembers only how many it has taken.
 */
export const steps: readonly ((dialect: Dialect) => string)[] = [
	({ text }) => `CREATE TABLE registration (
		email_key  ${text} PRIMARY KEY,
		email      ${text} NOT NULL,
		source     ${text} NOT NULL,
		created_at ${text} NOT NULL,
		terms      ${text} NOT NULL
	);
	CREATE INDEX registration_created_at ON registration (created_at);`,

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

	// Letters, and to whom.
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

	// Waves. Their letters have indexes of their own, which cost a join nothing.
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

	({ text }) => `CREATE TABLE visit_day (
		day    ${text} PRIMARY KEY,
		visits INT NOT NULL
	);`,

	// Between two letters, in µs, by the rate that `free_at` was counted with.
	() => "ALTER TABLE outbox ADD COLUMN spread BIGINT NOT NULL DEFAULT 0;",

	// What is known of a mail server that takes nothing.
	({ text }) => `ALTER TABLE outbox ADD COLUMN cause ${text} NOT NULL DEFAULT 'operator';
	ALTER TABLE outbox ADD COLUMN pauses INT NOT NULL DEFAULT 0;
	ALTER TABLE outbox ADD COLUMN passed_at ${text} NOT NULL DEFAULT '';
	ALTER TABLE letter ADD COLUMN doubted_at ${text} NOT NULL DEFAULT '';
	ALTER TABLE letter ADD COLUMN doubt ${text} NOT NULL DEFAULT '';
	CREATE INDEX letter_doubted ON letter (doubted_at, doubt) WHERE doubted_at <> '';`,

	// Streams of letters. One of a wave knows whether its person had confirmed.
	({ text }) => `ALTER TABLE letter ADD COLUMN unconfirmed INT NOT NULL DEFAULT 0;
	DROP INDEX letter_of_wave_to_send;
	CREATE INDEX letter_of_wave_to_send ON letter (unconfirmed, next_at)
		WHERE wave <> '' AND held = 0 AND state IN ('waiting', 'deferred');
	CREATE INDEX letter_ended_asking ON letter (ended_at) WHERE wave = '' AND ended_at <> '';
	CREATE INDEX letter_ended_of_wave ON letter (unconfirmed, ended_at)
		WHERE wave <> '' AND ended_at <> '';
	CREATE TABLE brake (
		stream  ${text} PRIMARY KEY,
		slowed  INT NOT NULL,
		letters INT NOT NULL,
		dead    INT NOT NULL,
		free_at BIGINT NOT NULL DEFAULT 0
	);`,

	({ text }) => `CREATE TABLE gap (
		until_at   ${text} PRIMARY KEY,
		from_at    ${text} NOT NULL,
		settled_at ${text} NOT NULL DEFAULT ''
	);`,

	({ text }) => `CREATE TABLE last_backup (
		one     INT PRIMARY KEY,
		made_at ${text} NOT NULL,
		file    ${text} NOT NULL
	);`,

	// Whoever left several times keeps the latest proof.
	({ text }) => `CREATE TABLE ${ASKED_MAILBOX} (
		letter   ${text} PRIMARY KEY,
		mailbox  ${text} NOT NULL,
		asked_at ${text} NOT NULL
	);
	CREATE INDEX ${ASKED_MAILBOX}_by_mailbox ON ${ASKED_MAILBOX} (mailbox, asked_at);
	DELETE FROM erasure WHERE reason = 'left' AND EXISTS (
		SELECT 1 FROM erasure AS later
		WHERE later.code = erasure.code AND later.erased_at > erasure.erased_at
	);`,

	({ text }) => `ALTER TABLE recipient ADD COLUMN mailbox ${text} NOT NULL DEFAULT '';
	CREATE INDEX recipient_left ON recipient (mailbox) WHERE left_at <> '';`,

	// The step of the ramp, and complaints beside dead addresses.
	({ text }) => `ALTER TABLE outbox ADD COLUMN step INT NOT NULL DEFAULT 0;
	ALTER TABLE outbox ADD COLUMN stepped_at ${text} NOT NULL DEFAULT '';
	ALTER TABLE brake ADD COLUMN complaints INT NOT NULL DEFAULT 0;`,

	({ text }) => `ALTER TABLE recipient ADD COLUMN page ${text} NOT NULL DEFAULT '';
	CREATE TABLE wording (
		version  ${text} PRIMARY KEY,
		kind     ${text} NOT NULL,
		said     ${text} NOT NULL,
		leads_to ${text} NOT NULL,
		kept_at  ${text} NOT NULL
	);`,

	// The office: links, sessions, and what was done.
	({ text }) => `CREATE TABLE ${OFFICE_LINK} (
		hash     ${text} PRIMARY KEY,
		until_at ${text} NOT NULL
	);
	CREATE TABLE ${OFFICE_SESSION} (
		hash     ${text} PRIMARY KEY,
		id       ${text} NOT NULL,
		since_at ${text} NOT NULL,
		until_at ${text} NOT NULL,
		agent    ${text} NOT NULL
	);
	CREATE TABLE office_audit (
		at      ${text} NOT NULL,
		id      ${text} NOT NULL,
		session ${text} NOT NULL,
		action  ${text} NOT NULL,
		details ${text} NOT NULL,
		PRIMARY KEY (at, id)
	);`,

	// Who confirmed and who bounced is counted without reading all recipients.
	() => `CREATE INDEX recipient_confirmed ON recipient (confirmed_at)
		WHERE confirmed_at <> '' AND left_at = '';
	CREATE INDEX recipient_bounced ON recipient (bounced_at) WHERE bounced_at <> '';`,

	// Pages of the office's list.
	() => `CREATE INDEX registration_flagged_by_time ON registration (created_at, email_key)
		WHERE flags <> '';
	CREATE INDEX recipient_by_leaving ON recipient (left_at, email_key) WHERE left_at <> '';
	DROP INDEX recipient_confirmed;
	CREATE INDEX recipient_confirmed ON recipient (confirmed_at, email_key)
		WHERE confirmed_at <> '' AND left_at = '';
	DROP INDEX recipient_bounced;
	CREATE INDEX recipient_bounced ON recipient (bounced_at, email_key) WHERE bounced_at <> '';
	CREATE INDEX letter_of_wave_by_person ON letter (wave, email_key) WHERE wave <> '';`,

	({ text }) => `CREATE TABLE ${OFFICE_DRAFT} (
		id      ${text} PRIMARY KEY,
		session ${text} NOT NULL,
		made_at ${text} NOT NULL,
		wave    ${text} NOT NULL
	);`,

	({ text }) => `CREATE TABLE ${DIGEST} (
		one       INT PRIMARY KEY,
		until_at  ${text} NOT NULL,
		next_at   ${text} NOT NULL,
		milestone INT NOT NULL,
		pause     ${text} NOT NULL DEFAULT '',
		backup    ${text} NOT NULL DEFAULT '',
		refused   INT NOT NULL DEFAULT 0,
		networks  INT NOT NULL DEFAULT 0
	);`,

	// What another system is told.
	({ text, sequence, asItIs }) => `CREATE TABLE ${WEBHOOK} (
		one        INT PRIMARY KEY,
		address    ${text} NOT NULL,
		body       ${text} NOT NULL,
		ended_at   ${text} NOT NULL DEFAULT '',
		rest_until ${text} NOT NULL DEFAULT '',
		failures   INT NOT NULL DEFAULT 0
	);
	CREATE TABLE ${EVENT_BATCH} (
		seq    ${sequence},
		kind   ${text} NOT NULL,
		at     ${text} NOT NULL,
		people ${text} NOT NULL,
		size   INT NOT NULL,
		taken  INT NOT NULL DEFAULT 0
	);
	${asItIs(EVENT_BATCH, "people")}
	CREATE INDEX ${EVENT_BATCH}_taken ON ${EVENT_BATCH} (seq) WHERE taken <> 0;
	CREATE TABLE ${EVENT} (
		seq      ${sequence},
		id       ${text} NOT NULL,
		kind     ${text} NOT NULL,
		who      ${text} NOT NULL,
		email    ${text} NOT NULL DEFAULT '',
		at       ${text} NOT NULL,
		state    ${text} NOT NULL,
		next_at  ${text} NOT NULL,
		attempts INT NOT NULL DEFAULT 0,
		claim    ${text} NOT NULL DEFAULT '',
		code     ${text} NOT NULL DEFAULT ''
	);
	CREATE INDEX ${EVENT}_due ON ${EVENT} (next_at, seq) WHERE state = 'waiting';
	CREATE INDEX ${EVENT}_under_way ON ${EVENT} (next_at) WHERE state = 'sending';
	CREATE INDEX ${EVENT}_failed ON ${EVENT} (next_at, seq) WHERE state = 'failed';
	CREATE INDEX ${EVENT}_of_person ON ${EVENT} (who, seq);`,

	// Letters are counted by state without reading all of them.
	() => `CREATE INDEX letter_accepted ON letter (wave, kind) WHERE state = 'accepted';
	CREATE INDEX letter_troubled ON letter (state, next_at, attempts, kind)
		WHERE state = 'deferred' OR state = 'refused' OR state = 'unknown';
	CREATE INDEX letter_held ON letter (held, kind, state)
		WHERE held <> 0 AND state IN ('waiting', 'deferred');`,

	// Why a letter was not sent stood where the mail server's answer stands.
	({ text }) => `ALTER TABLE letter ADD COLUMN reason ${text} NOT NULL DEFAULT '';
	UPDATE letter SET reason = code, code = '' WHERE code IN (
		'left', 'bounced', 'redeemed', 'flagged', 'invited', 'limited', 'cancelled', 'confirmed', 'told',
		'assumed', 'complaint'
	);
	DROP INDEX letter_of_wave;
	CREATE INDEX letter_of_wave ON letter (wave, state, held, redeemed_at, expires_at, reason)
		WHERE wave <> '';`,

	// Days that are over are counted once.
	({ text }) => `CREATE TABLE ${COUNTED_DAY} (
		counted ${text} NOT NULL,
		day     ${text} NOT NULL,
		counts  ${text} NOT NULL,
		PRIMARY KEY (counted, day)
	);`,
];
