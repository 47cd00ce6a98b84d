import type { Statement } from "../../database/sql.ts";
import { runEach, type Tx } from "../../database/transaction.ts";
import { takeBackBounces } from "../../registrations/facts.ts";
import { isWanted, readLost } from "../emails/resend.ts";
import { lockOutbox } from "../rate/outbox-row.ts";
import { rejudgeStreams } from "../rate/throttle.ts";

interface Unbounced {
	email: string;
	left: boolean;
	refused: number;
}

/**
 * Takes back that people bounced. Unsubscribed people stay unsubscribed. Streams that these addresses slowed are
 * judged again.
 *
 * @param also what else is done in the same transaction, if somebody had bounced
 * @returns those who had bounced
 */
export async function unbounce(
	tx: Tx,
	{ keys, now, also = [] }: { keys: readonly string[]; now: Date; also?: readonly Statement[] },
): Promise<Unbounced[]> {
	await lockOutbox(tx);
	const changed = await takeBackBounces(tx, keys);
	if (changed.length === 0) return [];
	await runEach(tx, also);
	await rejudgeStreams(tx, now.getTime());
	const lost = await readLost(tx, { keys: changed.map(({ key }) => key), refused: true });
	const refused = lost.filter((email) => email.state === "refused" && isWanted(email));
	return changed.map(({ key, unsubscribedAt }) => ({
		email: key,
		left: unsubscribedAt !== "",
		refused: refused.filter((email) => email.key === key).length,
	}));
}
