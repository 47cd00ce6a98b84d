import type { SharedDatabase } from "../../database/database.ts";
import type { BatchWriter } from "../../database/group-commit.ts";
import {
	keysOf,
	keysSql,
	readInPages,
	rowsSql,
	runEach,
	type Statement,
	sql,
	type Tx,
} from "../../database/sql.ts";
import { readMailingStatuses } from "../../registrations/facts.ts";
import { isJoinFlag, setFlag } from "../../registrations/flags.ts";
import type { Operation } from "../../registrations/operation.ts";
import { readPersonKeysAfter } from "../../registrations/people.ts";
import {
	insertRegistrations,
	PROBE_STATEMENTS,
	type Registration,
} from "../../registrations/registrations.ts";
import type { SaveWordings } from "../../registrations/wordings.ts";
import { isoOf, latestCredibleTime, MINUTE_MS } from "../../time.ts";
import { addEvents } from "../../webhooks/event.ts";
import { type EmailRow, type RequestedEmailKind, reasonNotToSend } from "./email.ts";

/** Maximum confirmation emails to a person, even if the address joins more often. */
export const MOST_REQUESTS = 3;
const BETWEEN_ASKS_MS = 15 * MINUTE_MS;

export const createJoinWriter = (
	{ transact, close }: Pick<SharedDatabase, "transact" | "close">,
	{
		asks,
		keep,
		now = Date.now,
	}: { asks: boolean; keep?: SaveWordings | undefined; now?: () => number },
): BatchWriter<Registration> => ({
	async add(registrations) {
		await keep?.();
		return transact(joinBatch, { registrations, asks, now: now() });
	},
	probe: () => transact(runEach, PROBE_STATEMENTS),
	close,
});

/** Adds joins and returns the keys of new people. Flagged joins get no email. */
export async function joinBatch(
	tx: Tx,
	{
		registrations,
		asks,
		now,
	}: { registrations: readonly Registration[]; asks: boolean; now: number },
): Promise<string[]> {
	// If a person joins several times in a batch, an unflagged join wins.
	const people = new Map<string, Registration>();
	for (const one of registrations) {
		const before = people.get(one.key);
		if (!before || (before.flag !== "" && one.flag === "")) people.set(one.key, one);
	}
	const added = await insertRegistrations(tx, [...people.values()]);
	await addEvents(tx, "joined", keysOf(added.filter(({ isTold }) => isTold === 1)), isoOf(now));
	const unflagged = added.filter(({ flag }) => flag === "");
	const dated = unflagged.map(({ key, joinedAt }) => [key, joinedAt] as const);
	if (asks) await insertRequests(tx, "confirm", dated);
	const isNew = new Set(keysOf(added));
	const again = [...people.values()].filter(({ key, flag }) => flag === "" && !isNew.has(key));
	if (again.length > 0) {
		await requestEmails(tx, { kind: "confirm", keys: keysOf(again), asks, now });
	}
	return [...isNew];
}

async function insertRequests(
	tx: Tx,
	kind: RequestedEmailKind,
	people: readonly (readonly [key: string, time: string])[],
): Promise<void> {
	if (people.length === 0) return;
	await tx.all(sql`INSERT INTO email (email_key, kind, wave, state, asked_at, next_at)
		SELECT value->>0, ${kind}, '', 'waiting', value->>1, value->>1
		FROM ${rowsSql(people)} WHERE TRUE ORDER BY 1
		ON CONFLICT (email_key, kind, wave) DO NOTHING`);
}

type Requested = Pick<EmailRow, "key" | "state" | "asks" | "askedAt" | "endedAt">;

/**
 * Queues an email for listed people who rejoin or request a link, and returns their keys. Skips people with a
 * queued email, one in the last 15 minutes, or three requests.
 */
export async function requestEmails(
	tx: Tx,
	input: { kind: RequestedEmailKind; keys: readonly string[]; asks?: boolean; now: number },
): Promise<string[]> {
	const { kind, keys, asks = true, now } = input;
	const people = await readMailingStatuses(tx, keys, { lock: true });
	if (kind === "confirm") {
		const unflagged = people.filter(({ flag }) => isJoinFlag(flag));
		if (unflagged.length > 0) await setFlag(tx, "", keysOf(unflagged));
		for (const person of unflagged) person.flag = "";
	}
	if (!asks) return [];
	const due = keysOf(people.filter((person) => reasonNotToSend(person, { kind }) === ""));
	const time = isoOf(now);
	const requested = await tx.all(sql<Requested>`SELECT email_key AS "key", state, asks,
			asked_at AS "askedAt", ended_at AS "endedAt"
		FROM email WHERE kind = ${kind} AND wave = '' AND email_key IN ${keysSql(due)}`);
	const known = new Set(keysOf(requested));
	const first = due.filter((key) => !known.has(key));
	const rows = first.map((key) => [key, time] as const);
	await insertRequests(tx, kind, rows);
	const again = keysOf(requested.filter((email) => mayAskAgain(email, now)));
	if (again.length === 0) return first;
	await tx.all(sql`UPDATE email
		SET state = 'waiting', asks = asks + 1, asked_at = ${time}, next_at = ${time}, attempts = 0, id = '',
			ended_at = '', code = '', reason = ''
		WHERE kind = ${kind} AND wave = '' AND email_key IN ${keysSql(again)}`);
	return [...first, ...again];
}

function mayAskAgain({ state, asks, askedAt, endedAt }: Requested, now: number): boolean {
	const isEnded = ["accepted", "refused", "unknown"].includes(state);
	const [earlier, wrong] = [isoOf(now - BETWEEN_ASKS_MS), latestCredibleTime(new Date(now))];
	// Ignores times in the future, which a wrong clock wrote.
	const isOver = (time: string) => time <= earlier || time > wrong;
	return isEnded && asks < MOST_REQUESTS && isOver(askedAt) && isOver(endedAt);
}

type Whom = { keys: readonly string[] } | { burst?: boolean; source?: string };

/** Rows per transaction. Few, because joins wait while a transaction runs. */
const PAGE_ROWS = 500;

/** Queues a confirmation email for people who never got one, and removes their flags. Runs `also` if anyone changed. */
export async function requestConfirmations(
	{ database, now }: Pick<Operation<SharedDatabase>, "database" | "now">,
	whom: Whom,
	{ dryRun, also }: { dryRun: boolean; also: readonly Statement[] },
): Promise<{ count: number; changed: Set<string> }> {
	let count = 0;
	const changed = new Set<string>();
	for await (const keys of readEligiblePages(database, whom)) {
		const page = { keys, dryRun, also, now };
		const { asked, unflagged } = dryRun
			? await database.read(requestConfirmationsPage, page)
			: await database.transact(requestConfirmationsPage, page);
		count += asked.length;
		if ("keys" in whom) for (const key of [...asked, ...unflagged]) changed.add(key);
	}
	return { count, changed };
}

async function* readEligiblePages(tx: Tx, whom: Whom): AsyncGenerator<string[]> {
	if ("keys" in whom) {
		for (let n = 0; n < whom.keys.length; n += PAGE_ROWS) yield whom.keys.slice(n, n + PAGE_ROWS);
		return;
	}
	const flagged = whom.burst ? sql`flag = 'burst'` : sql`flag = ''`;
	const which = whom.source ? sql`${flagged} AND source = ${whom.source}` : flagged;
	yield* readInPages<string>(PAGE_ROWS, (after = "") =>
		readPersonKeysAfter(tx, after, which, PAGE_ROWS),
	);
}

export async function requestConfirmationsPage(
	tx: Tx,
	input: { keys: readonly string[]; dryRun: boolean; also: readonly Statement[]; now: Date },
) {
	const { keys, dryRun, also, now } = input;
	const people = await readMailingStatuses(tx, keys, { lock: !dryRun });
	const emails = await tx.all(sql<{ key: string }>`SELECT email_key AS "key" FROM email
		WHERE kind = 'confirm' AND wave = '' AND reason <> 'flagged' AND email_key IN ${keysSql(keys)}`);
	const wereAsked = new Set(keysOf(emails));
	const mayAsk = (person: (typeof people)[number]) =>
		!wereAsked.has(person.key) &&
		reasonNotToSend({ ...person, flag: "" }, { kind: "confirm" }) === "";
	const asked = keysOf(people.filter(mayAsk));
	const unflagged = keysOf(people.filter(({ flag }) => flag !== ""));
	if (!dryRun && asked.length + unflagged.length > 0) {
		await setFlag(tx, "", unflagged);
		await tx.all(sql`DELETE FROM email
			WHERE kind = 'confirm' AND reason = 'flagged' AND email_key IN ${keysSql(asked)}`);
		const people = asked.map((key) => [key, now.toISOString()] as const);
		await insertRequests(tx, "confirm", people);
		await runEach(tx, also);
	}
	return { asked, unflagged };
}
