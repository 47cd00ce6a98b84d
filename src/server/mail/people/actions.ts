import type { SharedDatabase } from "../../database/database.ts";
import { findBouncedKeys } from "../../registrations/facts.ts";
import { flagPeople } from "../../registrations/flags.ts";
import type { Operation } from "../../registrations/operation.ts";
import { openSuppressionList } from "../../registrations/suppression/suppression-list.ts";
import { requestConfirmations } from "../emails/requests.ts";
import { resendEmails, retryEmails } from "../emails/unknown-emails.ts";
import { clearBounces } from "../feedback/record-feedback.ts";
import { unsubscribePeople } from "../links/unsubscribe.ts";
import { pauseEmails, resumeEmails } from "../rate/pauses.ts";

type Action = (
	operation: Operation<SharedDatabase>,
	keys: readonly string[],
) => Promise<Iterable<string>>;

const detailsOf = (keys: readonly string[]) => (keys.length === 1 ? "" : `${keys.length} people`);

export const personActions = {
	async confirm(operation, keys) {
		const also = operation.note("confirmation sent", detailsOf(keys));
		return (await requestConfirmations(operation, { keys }, { dryRun: false, also })).changed;
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
		const bounced = await database.transact(clearBounces, { keys, now, also: noted });
		return new Set([...flagged, ...bounced]);
	},
	async unsubscribe({ database, places, now, note }, keys) {
		const list = await openSuppressionList(database, places);
		const also = note("person unsubscribed", detailsOf(keys));
		return unsubscribePeople(database, list, keys, { way: "request", now, also });
	},
} satisfies Record<string, Action>;

export async function clearMatchingBounces(
	{ database, now, note }: Operation<SharedDatabase>,
	codeOrDay: string,
): Promise<string[]> {
	const keys = await findBouncedKeys(database, codeOrDay);
	return database.transact(clearBounces, { keys, now, also: note("bounces cleared", codeOrDay) });
}

export const pauseAllEmail = ({ database, note }: Operation<SharedDatabase>): Promise<void> =>
	database.transact(pauseEmails, { also: note("emails paused") });

export const resumeAllEmail = ({ database, now, note }: Operation<SharedDatabase>) =>
	database.transact(resumeEmails, { now, also: note("emails resumed") });

export const resendUnknownEmails = ({ database, now, note }: Operation<SharedDatabase>) =>
	database.transact(retryEmails, { now, also: note("emails with unknown delivery resent") });
