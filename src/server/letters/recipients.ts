import type { Run } from "../waitlist/waitlist.ts";

/** A person as our letters know them. */
export interface Recipient {
	/** What links carry instead of an address: 32 random hexadecimal digits. */
	id: string;
	/** Whether they have said that our letters reach them, and not left since. */
	confirmed: boolean;
}

/** Who gets our letters, in the waitlist's database. */
export interface Recipients {
	/** @returns undefined when nobody has the id, or the person was erased */
	find(id: string): Promise<Recipient | undefined>;
	/** Notes that our letters reach a person. The first time stays. Whoever has left is back. */
	confirm(id: string): Promise<void>;
}

const FIND = `SELECT id, CASE WHEN confirmed_at <> '' AND left_at = '' THEN 1 ELSE 0 END AS confirmed
	FROM recipient WHERE id = $1`;

/** A letter has arrived: what bounced before no longer counts. */
const CONFIRM = `UPDATE recipient
	SET confirmed_at = $2, confirmed_by = 'button', left_at = '', bounced_at = '', bounce = ''
	WHERE id = $1 AND (confirmed_at = '' OR left_at <> '')`;

/** @param run runs statements in the waitlist's database */
export function openRecipients(run: Run): Recipients {
	return {
		async find(id) {
			const [rows] = await run([{ sql: FIND, parameters: [id] }]);
			const [found] = rows as { id: string; confirmed: number }[];
			return found && { ...found, confirmed: found.confirmed === 1 };
		},
		async confirm(id) {
			await run([{ sql: CONFIRM, parameters: [id, new Date().toISOString()] }]);
		},
	};
}
