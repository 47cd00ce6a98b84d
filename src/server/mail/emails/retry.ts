import { keysAsJson, keysOf, ofPeople } from "../../database/dialect.ts";
import { runEach, type Statement } from "../../database/statement.ts";
import type { Tx } from "../../database/transaction.ts";
import { retry } from "./letter-changes.ts";

/** Which emails to send again, and when. */
interface Retrying {
	/** Of these people; of all without. */
	keys?: readonly string[] | undefined;
	/** Also those that a mail server refused. */
	refused?: boolean;
	now: Date;
	/** Statements of the same transaction, if an email waits again. */
	also?: readonly Statement[];
}

/** Lets unknown emails wait again, and returns the key of its person for each. */
export async function retryLetters(
	{ all, query, dialect }: Tx,
	{ keys, refused = false, now, also = [] }: Retrying,
): Promise<string[]> {
	const states = refused ? "'unknown', 'refused'" : "'unknown'";
	const which = `state IN (${states}) AND ${keys ? ofPeople(dialect) : "$1 = ''"}`;
	const changed = await all(retry(which, keys ? keysAsJson(keys) : "", now.toISOString()));
	if (changed.length > 0) await runEach(query, also);
	return keysOf(changed);
}
