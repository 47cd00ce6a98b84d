import type { Readable } from "node:stream";
import type { SharedDatabase } from "../database/database.ts";
import { keysOf, keysSql, runEach, sql, type Tx } from "../database/sql.ts";
import { failureReason } from "../files/files.ts";
import { refuseEmailsToUnsubscribed } from "../mail/claim-emails.ts";
import { addInvitations } from "../mail/emails/invitations.ts";
import { applyUnsubscribes, createUnsubscribeSuppression } from "../mail/links/unsubscribe.ts";
import { Refusal } from "../refusal.ts";
import { mergeFacts } from "../registrations/facts.ts";
import type { Operation } from "../registrations/operation.ts";
import { findPeopleByKeys, insertRegistrations } from "../registrations/registrations.ts";
import {
	findDeletions,
	lockSuppressions,
	openSuppressionList,
	suppressPeople,
} from "../registrations/suppression/suppression-list.ts";
import { toSecretKey } from "../secret.ts";
import type { Settings } from "../settings.ts";
import { shownTime } from "../time.ts";
import { addEvents } from "../webhooks/event.ts";
import { type ImportFormat, readLines } from "./import-formats.ts";
import { createLineReader, type RefusedCell, type ValidLine } from "./import-lines.ts";

interface ImportSettings {
	format: ImportFormat;
	source: string;
}

type Imported = Awaited<ReturnType<typeof importRegistrations>>;

const MOST_REFUSED_LINES = 1000;

/** Rows per transaction. Few, because joins wait while a transaction runs. */
const BATCH_ROWS = 2000;

/** Sorts this many lines by key at once, so that each batch touches fewer index pages. */
const MOST_AHEAD = 8 * BATCH_ROWS;

/** Validates lines and adds people. Deleted people stay deleted. */
export async function importRegistrations(
	{ database, places, now, note }: Omit<Operation<SharedDatabase>, "settings">,
	input: Readable,
	{ format, source }: ImportSettings,
) {
	const list = await openSuppressionList(database, places);
	// Audited first: the import may be killed.
	await database.transact(runEach, note("import started", source));
	const unread = new Set<string>();
	const readLine = createLineReader(source, now, unread);
	/** `unknown` invitations may have been sent after the export. `lines` are the first refused cells. */
	const imported = { added: 0, duplicates: 0, refused: 0, unknown: 0, lines: [] as RefusedCell[] };
	let ahead: ValidLine[] = [];
	function refuse(refused: RefusedCell): void {
		imported.refused += 1;
		if (imported.refused <= MOST_REFUSED_LINES) imported.lines.push(refused);
	}
	async function addAhead(): Promise<void> {
		// The sort is stable: a person's first line stays first.
		const lines = ahead.sort(({ registration: a }, { registration: b }) =>
			a.key === b.key ? 0 : a.key < b.key ? -1 : 1,
		);
		ahead = [];
		for (let n = 0; n < lines.length; n += BATCH_ROWS) {
			const batch = lines.slice(n, n + BATCH_ROWS);
			const adding = { batch, secret: list.key.secret, file: list.file, now };
			const { added, refused, unknown } = await database.transact(importBatch, adding);
			imported.added += added;
			imported.duplicates += batch.length - refused.length - added;
			imported.unknown += unknown;
			refused.forEach(refuse);
		}
	}
	async function readAll(): Promise<void> {
		for await (const line of readLines[format](input)) {
			const read = readLine(line);
			if ("error" in read) refuse(read);
			else if (ahead.push(read) === MOST_AHEAD) await addAhead();
		}
	}
	try {
		// Lines before a broken one are added too.
		await readAll().finally(addAhead);
	} catch (error) {
		throw new Error(
			`The import stopped: ${failureReason(error)}.\n` +
				`Before that: ${importSummaryAsText({ ...imported, lines: [], unread: [] })}. ` +
				"Fix this, then import the file again: no one is added twice.",
			{ cause: error },
		);
	}
	imported.lines.sort((a, b) => a.line - b.line);
	return { ...imported, unread: [...unread] };
}

export async function importBatch(
	tx: Tx,
	adding: { batch: readonly ValidLine[]; secret: string; file: string; now: Date },
) {
	const { batch, secret, file, now } = adding;
	const list = { key: toSecretKey(secret), file };
	// Deletions must wait for this batch.
	await lockSuppressions(tx);
	const all = batch.map(({ registration }) => registration);
	const deletedAt = await findDeletions(tx, list.key, all);
	const refused: RefusedCell[] = [];
	const lines = batch.filter(({ line, registration: { key, email, joinedAt }, dated }) => {
		// A line without a time counts as older than the deletion: it may come from an old copy.
		const at = deletedAt({ key, joinedAt: dated ? joinedAt : "" });
		if (at === undefined) return true;
		refused.push({ line, column: "email", value: email, error: `deleted on ${shownTime(at)}` });
		return false;
	});
	const kept = lines.map(({ registration }) => registration);
	const keys = keysOf(kept);
	const added = new Set(keysOf(await insertRegistrations(tx, kept)));
	await addEvents(tx, "joined", added, now.toISOString());
	const facts = lines.flatMap((line) => line.facts ?? []);
	await mergeFacts(tx, facts);
	const invitations = lines.flatMap(({ invitation }) => invitation ?? []);
	const unknown = await addInvitations(tx, invitations, now);
	// Suppresses imported unsubscribes, so that restoring an older backup resubscribes no one.
	const unsubscribes = facts
		.filter(({ unsubscribedAt }) => unsubscribedAt !== "")
		.map(({ key, unsubscribedAt }) =>
			createUnsubscribeSuppression(list, key, unsubscribedAt, "import"),
		);
	if (unsubscribes.length > 0) await suppressPeople(tx, file, unsubscribes);
	await applyUnsubscribes(tx, list.key, keys);
	await tx.all(refuseEmailsToUnsubscribed(sql`email_key IN ${keysSql(keys)}`, now.toISOString()));
	return { added: added.size, refused, unknown };
}

export function importSummaryAsText(imported: Imported): string {
	const { added, duplicates, refused, unknown, unread, lines } = imported;
	const ignored = unread.map((name) => JSON.stringify(name)).join(", ");
	return [
		`${added} added, ${duplicates} already on the list, ${refused} rejected`,
		...(unknown > 0 ? [`Invitations with unknown delivery: ${unknown}`] : []),
		...lines.map(
			({ line, column, value, error }) =>
				`  line ${line}${column && `, ${column}`}: ${error}: ${JSON.stringify(value)}`,
		),
		...(refused > lines.length ? ["  …"] : []),
		...(ignored ? [`Ignored columns: ${ignored}`] : []),
	].join("\n");
}

/** Says how to email the people added, if email is set up. */
export const importNextStep = (added: number, { mail }: Pick<Settings, "mail">): string[] =>
	added > 0 && mail
		? [
				"No confirmation emails go out until you run `waitlist confirm`. To preview: `waitlist confirm --all --dry-run`.",
			]
		: [];

export type ImportPreview = Awaited<ReturnType<typeof previewImport>>;

/** Checks a file without importing it. @throws Refusal if the file cannot be read */
export async function previewImport(
	{ database, now }: Pick<Operation<SharedDatabase>, "database" | "now">,
	input: Readable,
	{ format, source }: ImportSettings,
) {
	const unread = new Set<string>();
	const readLine = createLineReader(source, now, unread);
	const people = new Map<string, ValidLine>();
	const refused: RefusedCell[] = [];
	try {
		for await (const line of readLines[format](input)) {
			const read = readLine(line);
			if ("error" in read) refused.push(read);
			else if (!people.has(read.registration.key)) people.set(read.registration.key, read);
		}
	} catch (error) {
		throw new Refusal(`The file cannot be read: ${failureReason(error)}.`);
	}
	return {
		people: people.size,
		there: (await findPeopleByKeys(database, [...people.keys()])).length,
		first: [...people.values()].slice(0, 5),
		refused,
		unread: [...unread],
	};
}
