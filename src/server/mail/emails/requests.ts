import type { SharedDatabase } from "../../database/database.ts";
import type { Commits } from "../../database/group-commit.ts";
import { keysIn, rowsIn, sql } from "../../database/sql.ts";
import { runEach, type Tx } from "../../database/transaction.ts";
import { isEarned, setFlag } from "../../registrations/flags.ts";
import {
	insertRegistrations,
	PROBE,
	type Registration,
} from "../../registrations/registrations.ts";
import type { Keep } from "../../registrations/wordings.ts";
import { isoOf, latestCredible, MINUTE_MS } from "../../time.ts";
import { addEventsOf } from "../../webhooks/event.ts";
import type { EmailState } from "./email.ts";
import { type RequestedKind, STANDING, type Standing, whyNot } from "./may-get.ts";

/** Confirmation emails to one person, however often somebody types the address. */
export const MOST_ASKS = 3;

/** The least time between two of these, however long the first one waited to be sent. */
const BETWEEN_ASKS_MS = 15 * MINUTE_MS;

/** People who join together. */
export interface JoinBatch {
	registrations: readonly Registration[];
	/** Whether they are asked to confirm. */
	asks: boolean;
	/** In ms since 1970. */
	now: number;
}

/** Commits joins to a database. @param keep keeps the words that registrations name */
export const commitJoins = (
	{ transact, close }: Pick<SharedDatabase, "transact" | "close">,
	{ asks, keep, now = Date.now }: { asks: boolean; keep?: Keep | undefined; now?: () => number },
): Commits<Registration> => ({
	async add(registrations) {
		await keep?.();
		return transact(joinBatch, { registrations, asks, now: now() });
	},
	probe: () => transact(runEach, PROBE),
	close,
});

/**
 * Puts people on the list and asks them to confirm, in one transaction: no email is for a person who is not
 * on the list, and nobody is forgotten. A flagged join brings no email. Joining again without a flag takes an
 * earned flag back, and brings another email: see {@link requestEmails}.
 *
 * @returns the keys that are new
 */
export async function joinBatch(
	tx: Tx,
	{ registrations, asks, now }: JoinBatch,
): Promise<string[]> {
	// Of several joins of one person in a batch, one without a flag counts.
	const people = new Map<string, Registration>();
	for (const one of registrations) {
		const before = people.get(one.key);
		if (!before || (before.flag !== "" && one.flag === "")) people.set(one.key, one);
	}
	const added = await insertRegistrations(tx, [...people.values()]);
	const told = added.filter(({ isTold }) => isTold === 1);
	await addEventsOf(
		tx,
		"joined",
		told.map(({ key, joinedAt }) => [key, joinedAt] as const),
	);
	if (asks) {
		const unflagged = added.filter(({ flag }) => flag === "");
		const rows = unflagged.map(({ key, joinedAt }) => [key, joinedAt] as const);
		await insertEmails(tx, "confirm", rows);
	}
	const isNew = new Set(added.map(({ key }) => key));
	const again = [...people.values()].filter(({ key, flag }) => flag === "" && !isNew.has(key));
	if (again.length > 0) {
		await requestEmails(tx, { kind: "confirm", keys: again.map(({ key }) => key), asks, now });
	}
	return [...isNew];
}

/** Adds the first email of a kind to people. @param people keys, each with a time, ISO 8601 */
export async function insertEmails(
	tx: Tx,
	kind: RequestedKind,
	people: readonly (readonly [key: string, time: string])[],
): Promise<void> {
	if (people.length === 0) return;
	await tx.all(sql`INSERT INTO email (email_key, kind, wave, state, asked_at, next_at)
		SELECT value->>0, ${kind}, '', 'waiting', value->>1, value->>1
		FROM ${rowsIn(people)} WHERE TRUE ORDER BY 1
		ON CONFLICT (email_key, kind, wave) DO NOTHING`);
}

/** The last email of a kind that a person requested. */
interface Requested {
	key: string;
	state: EmailState;
	asks: number;
	askedAt: string;
	endedAt: string;
}

/**
 * Makes an email of a kind due for people who join again, or ask for a link by a form. One that waits or is
 * being sent stays; after it another one goes out 15 minutes later, three in all. What counts by mailbox is
 * decided as emails are claimed: mailbox-limit.ts.
 *
 * Asking to confirm takes back the flag of an earlier join. Anybody who is on the list may ask, also those
 * who were imported.
 */
export async function requestEmails(
	tx: Tx,
	{
		kind,
		keys,
		asks = true,
		now,
	}: Pick<JoinBatch, "now"> & {
		kind: RequestedKind;
		keys: readonly string[];
		asks?: boolean;
	},
): Promise<void> {
	const people = await tx.all(sql<Standing & { key: string }>`
		SELECT email_key AS "key", ${STANDING} FROM registration
		WHERE email_key IN ${keysIn(keys)} ORDER BY email_key FOR UPDATE`);
	if (kind === "confirm") {
		const unflagged = people.filter(({ flag }) => isEarned(flag));
		if (unflagged.length > 0)
			await setFlag(
				tx,
				"",
				unflagged.map(({ key }) => key),
			);
		for (const person of unflagged) person.flag = "";
	}
	if (!asks) return;
	const due = people.filter((person) => whyNot(person, { kind }) === "").map(({ key }) => key);
	const time = isoOf(now);
	// Read once the people are locked: another transaction may have asked them meanwhile.
	const requested = await tx.all(sql<Requested>`SELECT email_key AS "key", state, asks,
			asked_at AS "askedAt", ended_at AS "endedAt"
		FROM email WHERE kind = ${kind} AND wave = '' AND email_key IN ${keysIn(due)}`);
	const known = new Set(requested.map(({ key }) => key));
	const first = due.filter((key) => !known.has(key)).map((key) => [key, time] as const);
	await insertEmails(tx, kind, first);
	const again = requested.filter((email) => mayAskAgain(email, now)).map(({ key }) => key);
	if (again.length === 0) return;
	await tx.all(sql`UPDATE email
		SET state = 'waiting', asks = asks + 1, asked_at = ${time}, next_at = ${time}, attempts = 0, id = '',
			ended_at = '', code = '', reason = ''
		WHERE kind = ${kind} AND wave = '' AND email_key IN ${keysIn(again)}`);
}

function mayAskAgain({ state, asks, askedAt, endedAt }: Requested, now: number): boolean {
	const isEnded = state === "accepted" || state === "refused" || state === "unknown";
	const [earlier, wrong] = [isoOf(now - BETWEEN_ASKS_MS), latestCredible(new Date(now))];
	// A time that a wrong clock wrote is over, too.
	const isOver = (time: string) => time <= earlier || time > wrong;
	return isEnded && asks < MOST_ASKS && isOver(askedAt) && isOver(endedAt);
}
