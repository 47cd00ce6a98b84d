import type { SharedDatabase } from "../../database/database.ts";
import { keysOf, sql } from "../../database/sql.ts";
import type { Tx } from "../../database/transaction.ts";
import { confirmById, findById, type LinkedPerson } from "../../registrations/facts.ts";
import type { Keep, Wording } from "../../registrations/wordings.ts";
import { addEvents } from "../../webhooks/event.ts";

export interface LinkedPeople {
	/** @returns undefined if nobody has the id, or the person was deleted */
	find(id: string): Promise<LinkedPerson | undefined>;
	/** The first confirmation counts. It ends an earlier unsubscribing. */
	confirm(person: LinkedPerson): Promise<void>;
}

/** The page that a person confirms on, and what keeps its words. */
export interface Shown {
	page: Wording;
	keep: Keep;
}

export function openLinkedPeople(database: SharedDatabase, shown?: Shown): LinkedPeople {
	return {
		find: (id) => findById(database, id),
		async confirm({ id, unsubscribedAt }) {
			// Later than the unsubscribing, even if a clock went back.
			const earliest = unsubscribedAt === "" ? 0 : Date.parse(unsubscribedAt) + 1;
			const time = new Date(Math.max(Date.now(), earliest)).toISOString();
			await shown?.keep();
			await database.transact(confirmPerson, { id, time, version: shown?.page.version ?? "" });
		},
	};
}

export async function confirmPerson(
	tx: Tx,
	{ id, time, version }: { id: string; time: string; version: string },
): Promise<void> {
	const confirmed = await tx.all(confirmById(id, time, version));
	const person = await findById(tx, id);
	if (!person) return;
	// No further email needs to ask.
	await tx.all(sql`UPDATE email SET state = 'accepted', reason = 'confirmed', ended_at = ${time}
		WHERE email_key = ${person.key} AND kind = 'confirm' AND state IN ('waiting', 'deferred')`);
	await tx.all(sql`UPDATE email SET queue = 'confirmed'
		WHERE email_key = ${person.key} AND queue = 'unconfirmed' AND state IN ('waiting', 'deferred')`);
	await addEvents(tx, "confirmed", keysOf(confirmed), time);
}

export function isConfirmed({ confirmedAt, unsubscribedAt }: LinkedPerson): boolean {
	return confirmedAt !== "" && unsubscribedAt === "";
}
