import { prepare, type Statement } from "../../database/database.ts";
import { noteBounceOf } from "../../waitlist/recipients.ts";
import { OF_BOUNCED, refuseBounced } from "../table/letter-changes.ts";

const noted = prepare<[id: string, now: string, code: string]>(noteBounceOf(OF_BOUNCED));

/**
 * Notes that the person of a letter has no mailbox, so that no letter goes to them any more.
 *
 * @param id of the letter
 */
export function noteBounce(id: string, code: string, now: string): Statement[] {
	return [...refuseBounced(id, code), noted(id, now, code)];
}
