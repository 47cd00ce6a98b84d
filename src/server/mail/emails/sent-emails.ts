import type { Dialect } from "../../database/dialect.ts";
import { keysIn, sql } from "../../database/sql.ts";
import { ask, type Query, type Statement } from "../../database/statement.ts";
import type { Tx } from "../../database/transaction.ts";
import { daysAfter } from "../../time.ts";
import type { Wave } from "../wave/wave.ts";
import { MOST_ASKS } from "./requests.ts";

/** The people of the emails with these ids, by id. */
export async function peopleByEmail(
	query: Query,
	dialect: Dialect,
	ids: readonly string[],
): Promise<Map<string, string>> {
	const rows = await ask(
		query,
		sql<{ id: string; key: string }>`SELECT id, email_key AS "key" FROM email
			WHERE id <> '' AND id IN ${keysIn({ dialect }, ids)}`,
	);
	return new Map(rows.map(({ id, key }) => [id, key]));
}

/** Marks the emails of these ids as sent. Gives the keys of their people. */
export async function markByIds(
	query: Query,
	dialect: Dialect,
	ids: readonly string[],
	now: Date,
): Promise<string[]> {
	if (ids.length === 0) return [];
	const which = sql`state IN ('unknown', 'waiting', 'deferred') AND id <> ''
		AND id IN ${keysIn({ dialect }, ids)}`;
	return markSent(query, dialect, which, now);
}

/**
 * Marks the emails of people as sent: the unknown ones, or of one wave all that are still to be sent and
 * all that are missing here. Gives the key of its person for each email.
 */
export async function markByKeys(
	query: Query,
	dialect: Dialect,
	keys: readonly string[],
	wave: Wave | undefined,
	now: Date,
): Promise<string[]> {
	if (keys.length === 0) return [];
	const people = keysIn({ dialect }, keys);
	if (!wave) {
		return markSent(query, dialect, sql`state = 'unknown' AND email_key IN ${people}`, now);
	}
	const ofWave = sql`wave = ${wave.name} AND state IN ('unknown', 'waiting', 'deferred')
		AND email_key IN ${people}`;
	const marked = await markSent(query, dialect, ofWave, now);
	const time = now.toISOString();
	const expiresAt = wave.kind === "invitation" ? daysAfter(now.getTime(), wave.validDays) : "";
	const added = await ask(
		query,
		sql<{ key: string }>`INSERT INTO email
				(email_key, kind, wave, state, reason, asked_at, next_at, ended_at, expires_at, queue)
			SELECT email_key, ${wave.kind}, ${wave.name}, 'accepted', 'told', ${time}, ${time}, ${time},
				${expiresAt}, CASE confirmed_at WHEN '' THEN 'unconfirmed' ELSE 'confirmed' END
			FROM registration WHERE email_key IN ${people} ${{ sql: dialect.takeRows }}
			ON CONFLICT (email_key, kind, wave) DO NOTHING RETURNING email_key AS "key"`,
	);
	return [...marked, ...added.map(({ key }) => key)];
}

/** SQL for when the code of an email sent at a time expires; '' where it has no code. */
const codeExpiry = (dialect: Dialect, time: string): Statement => sql`COALESCE((
	SELECT ${{ sql: dialect.daysAfter(`CAST('${time}' AS TEXT)`, "valid_days") }} FROM wave
	WHERE wave.kind = 'invitation' AND wave.name = email.wave
), '')`;

/**
 * Notes that a restored database cannot know which unsent emails went out since its backup: none is sent by
 * itself. A person is asked to confirm once more at most, as nobody knows how often they were asked.
 */
export const assumeSent = (tx: Tx, time: string) =>
	tx.all(sql`UPDATE email SET state = 'unknown', reason = 'assumed', held = 0, claim = '', lease_until = '',
			ended_at = ${time}, expires_at = ${codeExpiry(tx.dialect, time)},
			asks = CASE WHEN wave = '' AND asks < ${{ sql: String(MOST_ASKS - 1) }}
				THEN ${{ sql: String(MOST_ASKS - 1) }} ELSE asks END
		WHERE state IN ('waiting', 'deferred', 'sending')`);

/**
 * Marks emails as sent. A code whose expiry is not known expires the wave's days after now, because that is
 * the latest moment at which its email may have gone out.
 */
async function markSent(
	query: Query,
	dialect: Dialect,
	which: Statement,
	now: Date,
): Promise<string[]> {
	const time = now.toISOString();
	const marked = await ask(
		query,
		sql<{ key: string }>`UPDATE email SET state = 'accepted', reason = 'told', held = 0,
				ended_at = CASE ended_at WHEN '' THEN ${time} ELSE ended_at END,
				expires_at = CASE expires_at WHEN '' THEN ${codeExpiry(dialect, time)} ELSE expires_at END
			WHERE ${which} RETURNING email_key AS "key"`,
	);
	return marked.map(({ key }) => key);
}

/**
 * Gives back, held, the emails of which a copy could only assume that they went out. Each gets a random
 * moment of the last second, because emails that had been refused together must not come first together.
 */
export const takeBackAssumed = ({ randomMs }: Dialect, now: Date) => {
	const second = new Date(now.getTime() - 1000).toISOString().slice(0, -"000Z".length);
	return sql`UPDATE email SET state = 'waiting', held = 1, reason = '', ended_at = '', expires_at = '',
			attempts = 0, next_at = ${second} || ${{ sql: randomMs }} || 'Z'
		WHERE state = 'unknown' AND reason = 'assumed' AND redeemed_at = '' RETURNING email_key`;
};
