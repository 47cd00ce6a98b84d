import { keysOf } from "../database/dialect.ts";
import type { Tx } from "../database/transaction.ts";
import { isoOf } from "../time.ts";
import { addEvents } from "../webhooks/event.ts";
import type { TriedLetter } from "./emails/letter.ts";
import { refuseLeftMeanwhile, writeTry } from "./emails/letter-changes.ts";
import { recordBounce } from "./feedback/record-feedback.ts";

/** Records the outcome of each email. Once an address bounces, its queued emails are canceled. */
export async function recordDeliveries(
	tx: Tx,
	tried: readonly TriedLetter[],
	now: string,
): Promise<void> {
	const invited: string[] = [];
	for (const { id, state, nextAt, code, version, bounced = false } of tried) {
		const isOver = nextAt === undefined;
		const next = isOver ? now : isoOf(nextAt);
		const written = await tx.all(writeTry(id, state, next, isOver ? now : "", code, version));
		if (!isOver) await tx.all(refuseLeftMeanwhile(id, now));
		if (bounced) await recordBounce(tx, id, code, now);
		if (state === "accepted") {
			invited.push(...keysOf(written.filter(({ kind }) => kind === "invitation")));
		}
	}
	await addEvents(tx, "invited", invited, now);
}
