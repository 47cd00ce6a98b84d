import type { Run } from "../waitlist/waitlist.ts";
import { UNSENT } from "./outbox.ts";

/** A person as our letters know them. */
export interface Recipient {
	/** What links carry instead of an address: 32 random hexadecimal digits. */
	id: string;
	/** When they last said that our letters reach them, and when they left; ISO 8601 or empty. */
	confirmedAt: string;
	leftAt: string;
}

/** Who gets our letters, in the waitlist's database. */
export interface Recipients {
	/** @returns undefined when nobody has the id, or the person was erased */
	find(id: string): Promise<Recipient | undefined>;
	/** Notes that our letters reach a person. The first time stays. Whoever has left is back. */
	confirm(recipient: Recipient): Promise<void>;
}

const FIND = `SELECT id, confirmed_at AS "confirmedAt", left_at AS "leftAt"
	FROM recipient WHERE id = $1`;

/** A letter has arrived: what bounced before no longer counts. */
const CONFIRM = `UPDATE recipient
	SET confirmed_at = $2, confirmed_by = 'button', left_at = '', bounced_at = '', bounce = ''
	WHERE id = $1 AND (confirmed_at = '' OR left_at <> '')`;

/** What was to ask them once more need not: an earlier letter has arrived. */
const ARRIVED = `UPDATE letter SET state = 'accepted', code = 'confirmed', ended_at = $2
	WHERE kind = 'confirm' AND ${UNSENT}
		AND email_key IN (SELECT email_key FROM recipient WHERE id = $1)`;

/** @param run runs statements in the waitlist's database */
export function openRecipients(run: Run): Recipients {
	return {
		async find(id) {
			const [rows] = await run([{ sql: FIND, parameters: [id] }]);
			return (rows as Recipient[])[0];
		},
		async confirm({ id, leftAt }) {
			// After the proof of leaving, also where a clock went back: the later one counts.
			const earliest = leftAt === "" ? 0 : Date.parse(leftAt) + 1;
			const time = new Date(Math.max(Date.now(), earliest)).toISOString();
			const parameters = [id, time];
			await run([
				{ sql: CONFIRM, parameters },
				{ sql: ARRIVED, parameters },
			]);
		},
	};
}

/** Whether our letters reach a person, as far as they said, and they have not left since. */
export function isConfirmed({ confirmedAt, leftAt }: Recipient): boolean {
	return confirmedAt !== "" && leftAt === "";
}
