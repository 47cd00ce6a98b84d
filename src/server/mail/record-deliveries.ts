import type { Statement } from "../database/database.ts";
import type { Tx } from "../database/transaction.ts";
import { noteBounce } from "../letters/bounces/note-bounce.ts";
import { isoOf, type TriedLetter } from "../letters/letter.ts";
import { refuseLeftMeanwhile, writeTry } from "../letters/table/letter-changes.ts";
import { tellBounced, tellInvited } from "../letters/table/tried-letters.ts";

/** Records the outcome of each email. Once an address bounces, its queued emails are canceled. */
export async function recordDeliveries(
	tx: Tx,
	tried: readonly TriedLetter[],
	now: string,
): Promise<void> {
	const run = async (statements: readonly Statement[]) => {
		for (const statement of statements) await tx.all(statement);
	};
	for (const { id, state, nextAt, code, version, bounced = false } of tried) {
		const isOver = nextAt === undefined;
		const next = isOver ? now : isoOf(nextAt);
		await tx.all(writeTry(id, state, next, isOver ? now : "", code, version));
		if (!isOver) await tx.all(refuseLeftMeanwhile(id, now));
		if (bounced) await run(noteBounce(id, code, now));
	}
	const idsOf = (test: (email: TriedLetter) => boolean) => tried.filter(test).map(({ id }) => id);
	const accepted = idsOf(({ state }) => state === "accepted");
	const bounced = idsOf(({ bounced }) => bounced === true);
	await run(tellInvited(tx.dialect, accepted, now));
	await run(tellBounced(tx.dialect, bounced, now));
}
