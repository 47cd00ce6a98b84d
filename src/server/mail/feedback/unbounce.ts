import type { Database } from "../../database/database.ts";
import { takeBackBounces } from "../../registrations/recipients.ts";
import { countRefused } from "../emails/letter-counts.ts";
import { LOCK } from "../rate/outbox-row.ts";
import { rejudgeStreams } from "../rate/throttle.ts";

/** A person whom letters can reach again. */
export interface Unbounced {
	/** Their canonical address. */
	email: string;
	/** Whether they have left: then they get none all the same. */
	left: boolean;
	/** Letters that a retry would send again. */
	refused: number;
}

/**
 * Takes back that people bounced. Whoever has left stays left. Streams that these addresses slowed are
 * judged again.
 *
 * @returns those who had bounced
 */
export async function unbounce(
	database: Database,
	keys: readonly string[],
	now: Date,
): Promise<Unbounced[]> {
	const { query, dialect } = database;
	const changed = await database.transaction(async (inside) => {
		await inside(LOCK);
		return takeBackBounces(inside, dialect, keys);
	});
	await database.transact(rejudgeStreams, now.getTime());
	const refused = await countRefused(
		query,
		dialect,
		changed.map(({ key }) => key),
	);
	return changed.map(({ key, leftAt }) => ({
		email: key,
		left: leftAt !== "",
		refused: refused.get(key) ?? 0,
	}));
}
