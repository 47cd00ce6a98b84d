import type { SharedDatabase } from "../../database/database.ts";
import type { Statement } from "../../database/statement.ts";
import { runEach } from "../../database/transaction.ts";
import { emailsOf } from "./emails.ts";
import { requestEmails } from "./requests.ts";
import { retryEmails } from "./retry.ts";

/**
 * Sends people again what may not have arrived, or else the confirmation email, as if they had joined once
 * more.
 *
 * @param also statements that record it
 * @returns the keys of those who get an email
 */
export async function resendEmails(
	database: SharedDatabase,
	keys: readonly string[],
	{ now, also }: { now: Date; also: readonly Statement[] },
): Promise<string[]> {
	const { query, dialect } = database;
	const retried = await database.transact(retryEmails, { keys, refused: true, now, also });
	const others = keys.filter((key) => !retried.includes(key));
	await database.transact(requestEmails, { kind: "confirm", keys: others, now: now.getTime() });
	const requested = (await emailsOf(query, dialect, others)).filter(
		({ kind, state, askedAt }) =>
			kind === "confirm" && state === "waiting" && askedAt === now.toISOString(),
	);
	if (retried.length === 0 && requested.length > 0) await database.transact(runEach, also);
	return [...retried, ...requested.map(({ key }) => key)];
}
