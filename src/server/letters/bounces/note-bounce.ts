import type { Database } from "../../database/database.ts";
import { BY_ID } from "../letter.ts";
import { judgeStreams, type Slowed } from "../pace/brake.ts";
import { STREAM_OF, type Stream } from "../pace/stream.ts";
import { bounceStatements } from "../person.ts";
import { LOCK } from "../sending/outbox.ts";

/** What a message about a letter that came back has changed. */
export interface Bounced {
	/** Whether the letter is one of ours. */
	found: boolean;
	/** The letter's stream, where it is slower from now on. */
	slowed?: Slowed;
}

/**
 * Notes that a letter came back because its address does not exist: its person gets no further one.
 *
 * @param id of the letter
 * @param code the codes of the answer, as in `550 5.1.1`; never its text, which may hold the address
 */
export async function noteBounce(
	database: Database,
	{ id, code, now }: { id: string; code: string; now: Date },
): Promise<Bounced> {
	const stream = await database.transaction(async (query) => {
		await query(LOCK);
		const [letter] = await query<{ stream: Stream }>(
			`SELECT ${STREAM_OF} AS stream FROM letter WHERE ${BY_ID}`,
			[id],
		);
		if (!letter) return undefined;
		for (const { sql, parameters } of bounceStatements(id, code, now.toISOString())) {
			await query(sql, parameters);
		}
		return letter.stream;
	});
	if (!stream) return { found: false };
	const slower = (await judgeStreams(database, now.getTime(), [stream])).find(
		({ slowed, before }) => slowed > before,
	);
	return { found: true, ...(slower ? { slowed: slower } : {}) };
}
