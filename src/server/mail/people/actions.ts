import { brand } from "#brand";
import { backupDays } from "#shared/retention.ts";
import type { SharedDatabase } from "../../database/database.ts";
import { findBounced } from "../../registrations/facts.ts";
import { flagPeople } from "../../registrations/flags.ts";
import type { Operation } from "../../registrations/operation.ts";
import type { Suppression } from "../../registrations/suppression/suppression-file.ts";
import { openSuppressionList } from "../../registrations/suppression/suppression-list.ts";
import { hasWebhook } from "../../webhooks/event.ts";
import { askToConfirm } from "../emails/ask-to-confirm.ts";
import { deletePeople } from "../emails/delete-people.ts";
import { resendEmails, retryEmails } from "../emails/resend.ts";
import { unbounce } from "../feedback/record-feedback.ts";
import { unsubscribePeople } from "../links/unsubscribe.ts";
import { pauseEmails, releaseEmails } from "../rate/pauses.ts";

type Action = (
	operation: Operation<SharedDatabase>,
	keys: readonly string[],
) => Promise<Iterable<string>>;

/** Details of an audit entry about named people: it holds no address. */
const detailsOf = (keys: readonly string[]) => (keys.length === 1 ? "" : `${keys.length} named`);

/** Changes people by command or on the admin pages. Each returns the keys of the people it changed. */
export const actions = {
	async confirm(operation, keys) {
		const also = operation.note("confirmation sent", detailsOf(keys));
		return (await askToConfirm(operation, { keys }, { dryRun: false, also })).changed;
	},
	resend: ({ database, now, note }, keys) =>
		resendEmails(database, keys, { now, also: note("email resent", detailsOf(keys)) }),
	block({ database, note }, keys) {
		const also = note("person blocked", detailsOf(keys));
		return database.transact(flagPeople, { keys, remove: false, also });
	},
	async unblock({ database, now, note }, keys) {
		const also = note("person unblocked", detailsOf(keys));
		const flagged = await database.transact(flagPeople, { keys, remove: true, also });
		const noted = flagged.length > 0 ? [] : also;
		const bounced = await database.transact(unbounce, { keys, now, also: noted });
		return new Set([...flagged, ...bounced]);
	},
	async unsubscribe({ database, places, now, note }, keys) {
		const list = await openSuppressionList(database, places);
		const also = note("person unsubscribed", detailsOf(keys));
		return unsubscribePeople(database, list, keys, { way: "request", now, also });
	},
} satisfies Record<string, Action>;

/**
 * Deletes people, and returns a receipt for each.
 *
 * @param named the addresses to name them by in the receipts, by key
 */
export async function deleteNamed(
	{ database, places, now, note }: Operation<SharedDatabase>,
	named: ReadonlyMap<string, string>,
	reason: string,
): Promise<{ receipts: Receipt[]; notFound: string[] }> {
	const list = await openSuppressionList(database, places);
	const keys = [...named.keys()];
	const byHash = new Map([...named].map(([key, email]) => [list.key.hashOf(key), email]));
	const also = note("person deleted", detailsOf(keys));
	const entries = await deletePeople(database, list, keys, { now, reason, also });
	const told = (await hasWebhook(database)) && { told: true as const };
	const receipts = entries.map((entry) => ({ email: byHash.get(entry.hash)!, ...entry, ...told }));
	for (const { hash } of entries) byHash.delete(hash);
	// Also if nobody was found: an earlier deletion may have been interrupted before this.
	await database.forget();
	return { receipts, notFound: [...byHash.values()] };
}

/** Takes back all bounces by a reply, or of a day in UTC. Returns the key of each person. */
export async function unbounceAll(
	{ database, now, note }: Operation<SharedDatabase>,
	replyOrDay: string,
): Promise<string[]> {
	const keys = await findBounced(database, replyOrDay);
	return database.transact(unbounce, { keys, now, also: note("bounces taken back", replyOrDay) });
}

/** Pauses all email. */
export const pauseAll = ({ database, note }: Operation<SharedDatabase>): Promise<void> =>
	database.transact(pauseEmails, { also: note("emails paused") });

/** Ends the pause and throttles, and retries deferred emails at once. Returns whether there was a pause. */
export const resumeAll = ({ database, now, note }: Operation<SharedDatabase>) =>
	database.transact(releaseEmails, { now, also: note("emails resumed") });

/** Sends all emails again that may not have arrived. Returns the key of each person. */
export const resendUnknown = ({ database, now, note }: Operation<SharedDatabase>) =>
	database.transact(retryEmails, { now, also: note("unknown emails sent again") });

/** The answer to a person's request. Nothing else holds the address. */
interface Receipt extends Suppression {
	email: string;
	/** Whether a webhook has the address, and is told to delete it. */
	told?: true;
}

/** The default reason. */
export const ON_REQUEST = "on request";

/** The problem with the reason for a deletion: an address in it would undo the deletion. */
export function wrongReason(text: string): string | undefined {
	if (text.startsWith("unsubscribed")) {
		return "Those who only unsubscribed have such a reason. Use another.";
	}
	if (text.length > 0 && text.length <= 100 && !text.includes("@")) return undefined;
	return "It must be 1 to 100 characters, and no address.";
}

/** For the person. */
export function receiptAsText({ email, hash, at, reason, told }: Receipt): string {
	return (
		`Receipt\n  deleted: ${email}, from the waitlist of ${brand.product} (${brand.company})\n` +
		`  on:      ${at}\n  reason:  ${reason}\n  hash:    ${hash}\n` +
		(told ? "  told:    the receiver of our events, which had the address\n" : "") +
		`  Backups made before may hold it for up to ${backupDays} days. A restore from one\n` +
		`  leaves it out.`
	);
}
