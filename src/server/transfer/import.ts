import type { Readable } from "node:stream";
import type { SharedDatabase } from "../database/database.ts";
import { keysIn, keysOf, runEach, sql, type Tx } from "../database/sql.ts";
import { reasonOf } from "../files/files.ts";
import { refuseOfLeft } from "../mail/claim-emails.ts";
import { addInvitations } from "../mail/emails/invitations.ts";
import { applyUnsubscribes, unsubscribeEntry } from "../mail/links/unsubscribe.ts";
import { Refusal } from "../refusal.ts";
import { mergeFacts } from "../registrations/facts.ts";
import type { Operation } from "../registrations/operation.ts";
import { findByKeys, insertRegistrations } from "../registrations/registrations.ts";
import {
	findDeleted,
	lockSuppressions,
	openSuppressionList,
	suppress,
} from "../registrations/suppression/suppression-list.ts";
import { keyOfSecret } from "../secret.ts";
import { addEvents } from "../webhooks/event.ts";
import { type ImportFormat, readLines } from "./import-formats.ts";
import { lineReader, type ReadLine, type Refused } from "./import-lines.ts";

interface ImportSettings {
	format: ImportFormat;
	/** For lines that name no source. */
	source: string;
}

interface Imported {
	added: number;
	duplicates: number;
	refused: number;
	/** Invitations that may have gone out since the file was written, if any. */
	unknown?: number;
	/** Columns that were not read, if any. */
	unread?: string[];
	/** The first refused cells. */
	lines: Refused[];
}

/** More than a person reads. */
const MOST_REFUSED_LINES = 1000;

/** Rows of one transaction: joins wait while it lasts. */
const BATCH_ROWS = 2000;

/**
 * Lines that are read ahead, to be added in the order of their keys: a batch then touches an eighth of the
 * pages of each index that starts with the key.
 */
const MOST_AHEAD = 8 * BATCH_ROWS;

/** Adds people by the site's rule. Those on the list get newer facts; deleted people do not come back. */
export async function importRegistrations(
	{ database, places, now, note }: Omit<Operation<SharedDatabase>, "settings">,
	input: Readable,
	{ format, source }: ImportSettings,
): Promise<Imported> {
	const list = await openSuppressionList(database, places);
	// First: an import may be killed.
	await database.transact(runEach, note("import started", source));
	const unread = new Set<string>();
	const readLine = lineReader(source, now, unread);
	const imported: Imported = { added: 0, duplicates: 0, refused: 0, lines: [] };
	let ahead: ReadLine[] = [];
	function refuse(refused: Refused): void {
		imported.refused += 1;
		if (imported.refused <= MOST_REFUSED_LINES) imported.lines.push(refused);
	}
	async function addAhead(): Promise<void> {
		// The sort is stable: the first of two lines of one person stays the first.
		const lines = ahead.sort(({ registration: a }, { registration: b }) =>
			a.key === b.key ? 0 : a.key < b.key ? -1 : 1,
		);
		ahead = [];
		for (let n = 0; n < lines.length; n += BATCH_ROWS) {
			const batch = lines.slice(n, n + BATCH_ROWS);
			const adding = { batch, secret: list.key.secret, file: list.file, now };
			const { added, refused, unknown } = await database.transact(addImported, adding);
			imported.added += added;
			imported.duplicates += batch.length - refused.length - added;
			if (unknown > 0) imported.unknown = (imported.unknown ?? 0) + unknown;
			refused.forEach(refuse);
		}
	}
	async function readAll(): Promise<void> {
		for await (const lines of readLines[format](input)) {
			for (const line of lines) {
				const read = readLine(line);
				if ("error" in read) refuse(read);
				else if (ahead.push(read) === MOST_AHEAD) await addAhead();
			}
		}
	}
	try {
		// Lines before a broken one are added as well.
		await readAll().finally(addAhead);
	} catch (error) {
		throw new Error(
			`The import stopped: ${reasonOf(error)}.\n` +
				`Before that ${importedAsText({ ...imported, lines: [] })}. ` +
				"Import it again when this is mended: nothing is added twice.",
			{ cause: error },
		);
	}
	if (unread.size > 0) imported.unread = [...unread];
	imported.lines.sort((a, b) => a.line - b.line);
	return imported;
}

/** Adds people, their facts and invitations. Refuses the lines of deleted people. */
export async function addImported(
	tx: Tx,
	adding: { batch: readonly ReadLine[]; secret: string; file: string; now: Date },
) {
	const { batch, secret, file, now } = adding;
	const list = { key: keyOfSecret(secret), file };
	// Deletions wait until the end of this batch.
	await lockSuppressions(tx);
	const all = batch.map(({ registration }) => registration);
	const deletedAt = await findDeleted(tx, list.key, all);
	const refused: Refused[] = [];
	const lines = batch.filter(({ line, registration: { key, email, joinedAt }, dated }) => {
		// A line without a time may be older than the deletion: a copy that somebody kept.
		const at = deletedAt({ key, joinedAt: dated ? joinedAt : "" });
		if (at !== undefined)
			refused.push({ line, column: "email", value: email, error: `deleted on ${at}` });
		return at === undefined;
	});
	const kept = lines.map(({ registration }) => registration);
	const keys = keysOf(kept);
	const added = new Set(keysOf(await insertRegistrations(tx, kept)));
	await addEvents(tx, "joined", added, now.toISOString());
	const facts = lines.flatMap((line) => line.facts ?? []);
	await mergeFacts(tx, facts);
	const invitations = lines.flatMap(({ invitation }) => invitation ?? []);
	const unknown = await addInvitations(tx, invitations, now);
	// An entry for each who unsubscribed elsewhere: no backup brings them back.
	const leavings = facts
		.filter(({ unsubscribedAt }) => unsubscribedAt !== "")
		.map(({ key, unsubscribedAt }) => unsubscribeEntry(list, key, unsubscribedAt, "import"));
	if (leavings.length > 0) await suppress(tx, file, leavings);
	await applyUnsubscribes(tx, list.key, keys);
	await tx.all(refuseOfLeft(sql`email_key IN ${keysIn(keys)}`, now.toISOString()));
	return { added: added.size, refused, unknown };
}

export function importedAsText(imported: Imported): string {
	const { added, duplicates, refused, unknown, unread, lines } = imported;
	return [
		`${added} added, ${duplicates} already there, ${refused} refused`,
		...(unknown ? [`invitations that may have gone out since, and are unknown: ${unknown}`] : []),
		...lines.map(
			({ line, column, value, error }) =>
				`  line ${line}${column && `, ${column}`}: ${error}: ${JSON.stringify(value)}`,
		),
		...(refused > lines.length ? ["  …"] : []),
		...(unread
			? [`Columns not read: ${unread.map((name) => JSON.stringify(name)).join(", ")}`]
			: []),
	].join("\n");
}

export type ImportPreview = Awaited<ReturnType<typeof previewImport>>;

/** Reads a file as an import does, and adds nobody. @throws Refusal if it cannot be read */
export async function previewImport(
	{ database, now }: Pick<Operation<SharedDatabase>, "database" | "now">,
	input: Readable,
	{ format, source }: ImportSettings,
) {
	const unread = new Set<string>();
	const readLine = lineReader(source, now, unread);
	const people = new Map<string, ReadLine>();
	const refused: Refused[] = [];
	try {
		for await (const lines of readLines[format](input)) {
			for (const read of lines.map(readLine)) {
				if ("error" in read) refused.push(read);
				else if (!people.has(read.registration.key)) people.set(read.registration.key, read);
			}
		}
	} catch (error) {
		throw new Refusal(`The file cannot be read: ${reasonOf(error)}.`);
	}
	return {
		/** Each once. */
		people: people.size,
		/** People who are on the list. */
		there: (await findByKeys(database, [...people.keys()])).length,
		first: [...people.values()].slice(0, 5),
		refused,
		unread: [...unread],
	};
}
