import { BY_ID, bounceStatements, LOCK, stopStatement } from "../letters/outbox.ts";
import type { Database } from "./database/database.ts";

/** What a message about a letter that came back has changed. */
export interface Bounced {
	/** Whether the letter is one of ours. */
	found: boolean;
	/** Whether too many have come back, so that the outbox is paused from now on. */
	stopped: boolean;
}

/**
 * Notes that a letter came back because its address does not exist: its person gets no further one.
 *
 * @param id of the letter
 * @param code the codes of the answer, as in `550 5.1.1`; never its text, which may hold the address
 */
export function noteBounce(
	database: Database,
	{ id, code, now }: { id: string; code: string; now: Date },
): Promise<Bounced> {
	return database.transaction(async (query) => {
		await query(LOCK);
		const found = await query(`SELECT id FROM letter WHERE ${BY_ID}`, [id]);
		if (found.length === 0) return { found: false, stopped: false };
		for (const { sql, parameters } of bounceStatements(id, code, now.toISOString())) {
			await query(sql, parameters);
		}
		const { sql, parameters } = stopStatement();
		return { found: true, stopped: (await query(sql, parameters)).length > 0 };
	});
}
