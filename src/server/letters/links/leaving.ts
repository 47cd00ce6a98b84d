import {
	ask,
	type Database,
	type Query,
	runEach,
	type Statement,
} from "../../database/database.ts";
import { LOCK } from "../../mail/outbox-row.ts";
import type { ErasureKey } from "../../secret.ts";
import type { Operation } from "../../waitlist/operation.ts";
import { standingOf } from "../../waitlist/people.ts";
import {
	type Erasure,
	reasonOfLeaving,
	type WayToLeave,
	wayToLeave,
} from "../../waitlist/proofs/erasure-file.ts";
import {
	erasuresOf,
	keepProofs,
	latestProofs,
	lockProofs,
	type Proofs,
} from "../../waitlist/proofs/erasures.ts";
import { openOrMakeProofs } from "../../waitlist/proofs/open-proofs.ts";
import { mergeRecipients, recipientOf } from "../../waitlist/recipients.ts";
import { tellOf } from "../../waitlist/telling.ts";
import { UNSENT } from "../letter.ts";
import { refuseAllOf } from "../table/letter-changes.ts";
import { letterTo } from "../table/letters.ts";

/** No address has a space in it: the code is never that of an erasure. */
const codeOf = (erasureKey: ErasureKey, key: string) => erasureKey.codeOf(`left ${key}`);

/** The proof that a person left. */
export function proofOfLeaving(
	{ erasureKey }: Proofs,
	key: string,
	leftAt: string,
	way: WayToLeave,
): Erasure {
	return { code: codeOf(erasureKey, key), erasedAt: leftAt, reason: reasonOfLeaving(way) };
}

/** A time at which a person left, ISO 8601, and how; "unknown" where nobody noted it. */
export interface PastLeaving {
	at: string;
	by: WayToLeave | "unknown";
}

/** How a person left, in words. */
export const LEFT_BY: Record<PastLeaving["by"], string> = {
	button: "by the button of the page",
	"one-click": "by the button of their mail program",
	complaint: "by calling a letter spam",
	import: "elsewhere, as an import said",
	request: "on request, by us",
	unknown: "nobody noted how",
};

/** When and how a person left, as the proofs say: the last time, or never. */
export async function leavingsOf(
	query: Query,
	erasureKey: ErasureKey,
	key: string,
): Promise<PastLeaving[]> {
	const proofs = await erasuresOf(query, codeOf(erasureKey, key));
	return proofs.map(({ erasedAt: at, reason }) => ({ at, by: wayToLeave(reason) ?? "unknown" }));
}

/**
 * Makes sure that whoever left, as the proofs say, has left here. A proof counts while it is later
 * than the person's confirmation.
 *
 * @param query in the transaction that brings these people in
 */
export async function applyLeavings(
	query: Query,
	{ dialect }: Database,
	{ erasureKey }: Proofs,
	keys: readonly string[],
): Promise<void> {
	const byCode = new Map(keys.map((key) => [codeOf(erasureKey, key), key]));
	const left = await latestProofs(query, dialect, byCode.keys());
	const people = left.map(({ code, erasedAt: leftAt }) =>
		recipientOf(byCode.get(code)!, { leftAt }),
	);
	await mergeRecipients(query, dialect, people);
}

/** A person who may leave, and whether a letter waits for them. */
const PERSON = standingOf(`EXISTS (${letterTo("registration")} AND ${UNSENT})`);

interface Person {
	confirmedAt: string;
	leftAt: string;
	/** 0 or 1 on SQLite. */
	holds: boolean | number;
}

/**
 * Writes to a person no more: keeps the proof, and ends the letters that wait. Only they can change
 * that, by a link of their own. Leaving twice is leaving once: it makes no second proof, and where
 * nothing waits it writes nothing.
 *
 * @param key of the person
 * @param way by which they leave, for the proof
 * @param also what else is done in the same transaction where they leave now
 * @returns whether they left now or before; undefined for a person who is not on the waitlist
 */
export async function leave(
	database: Database,
	proofs: Proofs,
	key: string,
	way: WayToLeave,
	now: Date,
	also: readonly Statement[] = [],
): Promise<"now" | "before" | undefined> {
	const [known] = await database.query<Person>(PERSON, [key]);
	if (!known) return undefined;
	if (known.leftAt !== "" && !known.holds) return "before";
	return database.transaction(async (query) => {
		// One after the other with senders, who put letters back, and with erasures.
		await query(LOCK);
		await lockProofs(query, proofs);
		const [person] = await query<Person>(PERSON, [key]);
		if (!person) return undefined;
		await ask(query, refuseAllOf(key, now.toISOString()));
		if (person.leftAt !== "") return "before";
		const leftAt = afterwards(now, person.confirmedAt);
		await mergeRecipients(query, database.dialect, [recipientOf(key, { leftAt })]);
		await keepProofs(query, database, proofs, [proofOfLeaving(proofs, key, leftAt, way)]);
		await ask(query, tellOf(database.dialect, "left", [key], leftAt));
		await runEach(query, also);
		return "now";
	});
}

/**
 * Unsubscribes people who asked the founder, each in a transaction of its own.
 *
 * @param also what else is done in the transaction of each
 * @returns the keys of those who had not left before
 */
export async function unsubscribePeople(
	{ database, places, now }: Pick<Operation, "database" | "places" | "now">,
	keys: readonly string[],
	also: readonly Statement[] = [],
): Promise<string[]> {
	const proofs = await openOrMakeProofs(database, places);
	const unsubscribed: string[] = [];
	for (const key of keys) {
		const left = await leave(database, proofs, key, "request", now, also);
		if (left === "now") unsubscribed.push(key);
	}
	return unsubscribed;
}

/** Now, but later than a confirmation by a clock that was ahead. */
function afterwards(now: Date, confirmedAt: string): string {
	if (confirmedAt === "") return now.toISOString();
	return new Date(Math.max(now.getTime(), Date.parse(confirmedAt) + 1)).toISOString();
}
