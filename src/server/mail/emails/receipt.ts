import { brand } from "#brand";
import { backupDays } from "#shared/retention.ts";
import { type Dialect, postgres } from "../../database/dialect.ts";
import { type Erasure, REASONS_OF_LEAVING } from "../../registrations/proofs/erasure-file.ts";

/** The operator's answer to a request. Nothing else holds the address. */
export interface Receipt extends Erasure {
	email: string;
	/** Whether another system had the address, and is told to delete it. */
	told?: true;
}

/** Why people are erased, unless the operator says otherwise. */
export const ON_REQUEST = "on request";

/** What is wrong with a reason for an erasure: an address in it would undo the erasure. */
export function wrongReason(text: string): string | undefined {
	if (REASONS_OF_LEAVING.includes(text)) {
		return "Proofs of those who only left have this reason. Use another.";
	}
	if (text.length > 0 && text.length <= 100 && !text.includes("@")) return undefined;
	return "It must be 1 to 100 characters, and no address.";
}

/** What PostgreSQL does with a deleted row is up to its operator. */
const DEAD_ROWS = "\n  PostgreSQL overwrites the row when it vacuums, and its journals in turn.";

/** Where WAITLIST_WEBHOOK_URL is set. */
const TOLD =
	"  told:   the receiver of our events, which had the address, is told of the erasure\n";

/** A receipt in words, for the person who asked to be erased. */
export function receiptAsText(
	{ email, code, erasedAt, reason, told }: Receipt,
	dialect: Dialect,
): string {
	return (
		`Receipt\n  erased: ${email}, from the waitlist of ${brand.product} (${brand.company})\n` +
		`  on:     ${erasedAt}\n  reason: ${reason}\n  proof:  ${code}\n` +
		(told ? TOLD : "") +
		`  Backups made before may hold it for up to ${backupDays} days. A restore from one\n` +
		`  leaves it out.${dialect === postgres ? DEAD_ROWS : ""}`
	);
}
