import type { SharedDatabase } from "../../database/database.ts";
import {
	keysIn,
	keysOf,
	rowsIn,
	runEach,
	type Statement,
	sql,
	type Tx,
} from "../../database/sql.ts";
import { dueAgain, HELD_AGAIN, type WaveState } from "../waves.ts";
import { emailsOf, STANDING, type Standing, whyNot } from "./email.ts";
import { requestEmails } from "./requests.ts";

/** Which emails to send again: to these people or to all, and also refused ones or only unknown ones. */
interface Which {
	keys?: readonly string[] | undefined;
	refused?: boolean;
}

/** An email that may not have arrived, and its person. */
interface Lost extends Standing {
	key: string;
	kind: string;
	wave: string;
	state: "unknown" | "refused";
	redeemedAt: string;
	waveState: WaveState | null;
}

export function readLost(tx: Tx, { keys, refused }: Which): Promise<Lost[]> {
	return tx.all(sql<Lost>`SELECT email.email_key AS "key", email.kind, email.wave, email.state,
			redeemed_at AS "redeemedAt", wave.state AS "waveState", ${STANDING}
		FROM email JOIN registration ON registration.email_key = email.email_key
		LEFT JOIN wave ON wave.name = email.wave
		WHERE ${refused ? sql`email.state IN ('unknown', 'refused')` : sql`email.state = 'unknown'`}
			AND ${keys ? sql`email.email_key IN ${keysIn(keys)}` : sql`TRUE`}`);
}

/** Whether a retry would send the email. */
export const isWanted = (email: Lost) => whyNot(email, email) === "";

/**
 * Queues emails again that may not have arrived, under their ids.
 *
 * @param also statements of the same transaction, if there is any
 * @returns the key of its person for each
 */
export async function retryEmails(
	tx: Tx,
	{ now, also, ...which }: Which & { now: Date; also: readonly Statement[] },
): Promise<string[]> {
	const wanted = (await readLost(tx, which)).filter(isWanted);
	if (wanted.length === 0) return [];
	const rows = wanted.map(({ key, kind, wave }) => [key, kind, wave]);
	await tx.all(sql`UPDATE email SET state = 'waiting', held = ${HELD_AGAIN}, attempts = 0, ended_at = '', code = '', reason = '', next_at = ${dueAgain(now)}
		FROM ${rowsIn(rows)}
		WHERE email_key = value->>0 AND kind = value->>1 AND wave = value->>2
			AND state IN ('unknown', 'refused')`);
	await runEach(tx, also);
	return keysOf(wanted);
}

/**
 * Sends people again what may not have arrived, or else the confirmation email, as if they had joined again.
 *
 * @returns the keys of those who get an email
 */
export async function resendEmails(
	database: SharedDatabase,
	keys: readonly string[],
	{ now, also }: { now: Date; also: readonly Statement[] },
): Promise<string[]> {
	const retried = await database.transact(retryEmails, { keys, refused: true, now, also });
	const others = keys.filter((key) => !retried.includes(key));
	await database.transact(requestEmails, { kind: "confirm", keys: others, now: now.getTime() });
	const requested = (await emailsOf(database, others)).filter(
		({ kind, state, askedAt }) =>
			kind === "confirm" && state === "waiting" && askedAt === now.toISOString(),
	);
	if (retried.length === 0 && requested.length > 0) await database.transact(runEach, also);
	return [...retried, ...keysOf(requested)];
}
