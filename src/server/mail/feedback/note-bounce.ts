import { keysOf } from "../../database/dialect.ts";
import { prepare } from "../../database/statement.ts";
import type { Tx } from "../../database/transaction.ts";
import { noteBounceOf } from "../../registrations/recipients.ts";
import { addEvents } from "../../webhooks/event.ts";
import { OF_BOUNCED, refuseBounced } from "../emails/letter-changes.ts";

const noted = prepare<[id: string, now: string, code: string], { key: string }>(
	`${noteBounceOf(OF_BOUNCED)} RETURNING email_key AS "key"`,
);

/**
 * Notes that the person of a letter has no mailbox, so that no letter goes to them any more.
 *
 * @param id of the letter
 */
export async function noteBounce(tx: Tx, id: string, code: string, now: string): Promise<void> {
	for (const one of refuseBounced(id, code)) await tx.all(one);
	await addEvents(tx, "bounced", keysOf(await tx.all(noted(id, now, code))), now);
}
