import { brand } from "#brand";
import { backupDays } from "#shared/retention.ts";
import type { Suppression } from "../../registrations/suppression/suppression-file.ts";

/** The operator's answer to a request. Nothing else holds the address. */
export interface Receipt extends Suppression {
	email: string;
	/** Whether another system had the address, and is told to delete it. */
	told?: true;
}

/** Why people are erased, unless the operator says otherwise. */
export const ON_REQUEST = "on request";

/** What is wrong with a reason for an erasure: an address in it would undo the erasure. */
export function wrongReason(text: string): string | undefined {
	if (text.startsWith("unsubscribed")) {
		return "Those who only unsubscribed have such a reason. Use another.";
	}
	if (text.length > 0 && text.length <= 100 && !text.includes("@")) return undefined;
	return "It must be 1 to 100 characters, and no address.";
}

/** Where WAITLIST_WEBHOOK_URL is set. */
const TOLD =
	"  told:    the receiver of our events, which had the address, is told of the deletion\n";

/** A receipt in words, for the person who asked to be erased. */
export function receiptAsText({ email, hash, at, reason, told }: Receipt): string {
	return (
		`Receipt\n  deleted: ${email}, from the waitlist of ${brand.product} (${brand.company})\n` +
		`  on:      ${at}\n  reason:  ${reason}\n  hash:    ${hash}\n` +
		(told ? TOLD : "") +
		`  Backups made before may hold it for up to ${backupDays} days. A restore from one\n` +
		`  leaves it out.`
	);
}
