import { type SharedDatabase, statement } from "../../database/database.ts";
import { confirmStatements } from "../person.ts";

/** A person as a link in a letter names them. */
export interface LinkedPerson {
	/** What links carry instead of an address: 32 random hexadecimal digits. */
	id: string;
	/** When they last said that our letters reach them, and when they left; ISO 8601 or empty. */
	confirmedAt: string;
	leftAt: string;
}

/** The people whom links name, in the waitlist's database. */
export interface LinkedPeople {
	/** @returns undefined when nobody has the id, or the person was erased */
	find(id: string): Promise<LinkedPerson | undefined>;
	/** Notes that our letters reach a person. The first time stays. Whoever has left is back. */
	confirm(person: LinkedPerson): Promise<void>;
}

const FIND = `SELECT id, confirmed_at AS "confirmedAt", left_at AS "leftAt"
	FROM recipient WHERE id = $1`;

/** A letter has arrived: what bounced before no longer counts. */
const CONFIRM = `UPDATE recipient
	SET confirmed_at = $2, confirmed_by = 'button', left_at = '', bounced_at = '', bounce = ''
	WHERE id = $1 AND (confirmed_at = '' OR left_at <> '')`;

/** Opens them in a waitlist. */
export function openLinkedPeople({ query, run }: Omit<SharedDatabase, "dialect">): LinkedPeople {
	return {
		async find(id) {
			const [found] = await query<LinkedPerson>(FIND, [id]);
			return found;
		},
		async confirm({ id, leftAt }) {
			// After the proof of leaving, also where a clock went back: the later one counts.
			const earliest = leftAt === "" ? 0 : Date.parse(leftAt) + 1;
			const time = new Date(Math.max(Date.now(), earliest)).toISOString();
			await run({
				confirmed: statement(CONFIRM, id, time),
				letters: confirmStatements(id, time),
			});
		},
	};
}

/** Whether our letters reach a person, as far as they said, and they have not left since. */
export function isConfirmed({ confirmedAt, leftAt }: LinkedPerson): boolean {
	return confirmedAt !== "" && leftAt === "";
}
