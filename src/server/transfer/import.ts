import type { Readable } from "node:stream";
import { keysOf } from "../database/dialect.ts";
import { ask, type Query } from "../database/statement.ts";
import { txOver } from "../database/transaction.ts";
import { reasonOf } from "../files/files.ts";
import { addInvitations } from "../mail/emails/invitations.ts";
import { refuseOfLeft } from "../mail/emails/letters.ts";
import { applyLeavings, proofOfLeaving } from "../mail/links/leaving.ts";
import { mergeFacts } from "../registrations/facts.ts";
import type { Operation } from "../registrations/operation.ts";
import { lockPeople } from "../registrations/people.ts";
import { findErased, keepProofs, readFingerprint } from "../registrations/proofs/erasures.ts";
import { openOrMakeProofs, openProofs } from "../registrations/proofs/open-proofs.ts";
import { insertRegistrations } from "../registrations/registrations.ts";
import { addEvents } from "../webhooks/event.ts";
import { type ImportFormat, readLines } from "./import-formats.ts";
import { lineReader, type ReadLine, recipientsAmong } from "./import-lines.ts";

/** The result of an import. */
interface Imported {
	added: number;
	duplicates: number;
	refused: number;
	/** Invitations that may have gone out since the file was written; absent where there is none. */
	unknown?: number;
	/** Columns that were not read; absent where there is none. */
	unread?: string[];
	/** The first refused lines, and why each was refused. */
	lines: { line: number; error: string }[];
}

/** More refused lines than a person reads. */
const MOST_REFUSED_LINES = 1000;

interface ImportSettings {
	format: ImportFormat;
	/** For lines that name no source. */
	source: string;
	/** For lines that name no terms: the version that these people agreed to. */
	terms: string;
}

/** Rows of one transaction: joins wait while it lasts. */
const BATCH_ROWS = 2000;

/**
 * Lines that are read ahead, to be added in the order of their keys. A batch of 2000 keys by chance
 * touches nearly 2000 pages of every index that starts with the key, and each page is written twice,
 * to the journal and to the file. In order, a batch touches an eighth of them.
 */
const MOST_AHEAD = 8 * BATCH_ROWS;

/** Ends the transaction of a batch when another command erased somebody meanwhile: try it again. */
const ERASED_MEANWHILE = new Error("somebody was erased meanwhile");

/**
 * Puts addresses on the list by the same rule as the site. Rows that are there already stay as they
 * are. Erased addresses do not come back.
 *
 * @throws Error that says to the operator what stopped the import, where, and what is in already
 */
export async function importRegistrations(
	{ database, places, now, progress }: Pick<Operation, "database" | "places" | "now" | "progress">,
	input: Readable,
	{ format, source, terms }: ImportSettings,
): Promise<Imported> {
	const unread = new Set<string>();
	const readLine = lineReader({ source, terms, createdAt: now.toISOString() }, now, unread);
	let proofs = await openProofs(database, places);
	const imported: Imported = { added: 0, duplicates: 0, refused: 0, lines: [] };
	let ahead: ReadLine[] = [];
	let lastLine = 0;
	/** Where the database failed; the reader may be further. */
	let stoppedAfter: number | undefined;
	function refuse(line: number, error: string): void {
		imported.refused += 1;
		if (imported.refused <= MOST_REFUSED_LINES) imported.lines.push({ line, error });
	}
	let adding = Promise.resolve();
	/** Adds what was read ahead, while the caller reads on. */
	async function addAhead(): Promise<void> {
		await adding;
		// Of two lines of one person the first one stays the first.
		const lines = ahead.sort(byKey);
		ahead = [];
		const upTo = lastLine;
		adding = addInOrder(lines).catch((error: unknown) => {
			stoppedAfter = upTo;
			throw error;
		});
		// Until somebody waits for it.
		adding.catch(() => {});
	}
	async function addInOrder(lines: readonly ReadLine[]): Promise<void> {
		for (let n = 0; n < lines.length; n += BATCH_ROWS) await add(lines.slice(n, n + BATCH_ROWS));
	}
	async function add(batch: readonly ReadLine[]): Promise<void> {
		// Keeps a proof of those who left elsewhere, so that no backup brings them back.
		const leaving = recipientsAmong(batch).some(({ leftAt }) => leftAt !== "");
		proofs ??= await (leaving ? openOrMakeProofs : openProofs)(database, places);
		const done = await database
			.transaction((query) => addUnerased(query, batch))
			.catch((error: unknown) => {
				if (error !== ERASED_MEANWHILE) throw error;
			});
		if (!done) return add(batch);
		imported.added += done.added;
		if (done.unknown > 0) imported.unknown = (imported.unknown ?? 0) + done.unknown;
		imported.duplicates += batch.length - done.erased.length - done.added;
		for (const { line, time } of done.erased) refuse(line, `This address was erased on ${time}.`);
		progress.show("imported", imported.added + imported.duplicates, 0);
	}
	async function addUnerased(query: Query, batch: readonly ReadLine[]) {
		const within = txOver(query, database.dialect);
		const all = batch.map(({ registration }) => registration);
		const erasedBefore = await findErased(within, proofs, all);
		const keptLines: ReadLine[] = [];
		const erased: { line: number; time: string }[] = [];
		for (const read of batch) {
			// A line without a time may be older than the erasure: a copy that somebody kept.
			const { key, createdAt } = read.registration;
			const time = erasedBefore({ key, createdAt: read.dated ? createdAt : "" });
			if (time === undefined) keptLines.push(read);
			else erased.push({ line: read.line, time });
		}
		const kept = keptLines.map(({ registration }) => registration);
		const added = new Set(keysOf(await insertRegistrations(within, kept)));
		// PostgreSQL may have waited for an erasure that was committed after the first look.
		const isFirst = !proofs && (await readFingerprint(query)) !== undefined;
		const rows = kept.filter(({ key }) => added.has(key));
		const erasedSince = await findErased(within, proofs, rows);
		const isBack = rows.some(({ key }) => {
			const time = erasedSince({ key, createdAt: "" });
			return time !== undefined && time !== erasedBefore({ key, createdAt: "" });
		});
		if (isFirst || isBack) throw ERASED_MEANWHILE;
		await addEvents(within, "joined", added, now.toISOString());
		const unknown = await addRecipients(query, keptLines);
		return { added: added.size, erased, unknown };
	}

	/** Brings in what is known of these people's letters. Gives how many are unknown. */
	async function addRecipients(query: Query, lines: readonly ReadLine[]): Promise<number> {
		const { dialect } = database;
		const isAnyKnown = lines.some(({ known, invitation }) => known || invitation);
		if (!proofs && !isAnyKnown) return 0;
		const keys = lines.map(({ registration }) => registration.key);
		const present = new Set(await lockPeople(query, dialect, keys));
		const recipients = recipientsAmong(lines).filter(({ key }) => present.has(key));
		await mergeFacts(query, dialect, recipients);
		const invitations = lines.flatMap(({ invitation }) => invitation ?? []);
		const invited = invitations.filter(({ key }) => present.has(key));
		const unknown = await addInvitations(query, dialect, invited, now);
		if (!proofs) return unknown;
		const opened = proofs;
		const leavings = recipients
			.filter(({ leftAt }) => leftAt !== "")
			.map(({ key, leftAt }) => proofOfLeaving(opened, key, leftAt, "import"));
		if (leavings.length > 0) await keepProofs({ query, dialect }, opened, leavings);
		await applyLeavings({ query, dialect }, opened, [...present]);
		await ask(query, refuseOfLeft(dialect, [...present], now));
		return unknown;
	}

	async function readAll(): Promise<void> {
		// Few at first: whoever pipes a list in sees soon that it works.
		let most = BATCH_ROWS;
		let total = 0;
		for await (const lines of readLines[format](input)) {
			for (const line of lines) {
				const read = readLine(line);
				lastLine = line.line;
				if ("error" in read) refuse(read.line, read.error);
				else if (ahead.push(read) === most) {
					await addAhead();
					total += most;
					most = Math.min(total, MOST_AHEAD);
				}
			}
		}
	}

	try {
		// What stands before a broken line is added as well.
		await readAll().finally(addAhead);
		await adding;
	} catch (error) {
		await adding.catch(() => {});
		throw new Error(
			`The import stopped after line ${stoppedAfter ?? lastLine}: ${reasonOf(error)}.\n` +
				`Before that ${importedAsText({ ...imported, lines: [] })}. ` +
				"Import it again when this is mended: nothing is added twice.",
			{ cause: error },
		);
	} finally {
		progress.end();
	}
	if (unread.size > 0) imported.unread = [...unread];
	imported.lines.sort((a, b) => a.line - b.line);
	return imported;
}

/** Says to the operator how an import went, or how far it came. */
export function importedAsText({
	added,
	duplicates,
	refused,
	unknown,
	unread,
	lines,
}: Imported): string {
	return [
		`${added} added, ${duplicates} already there, ${refused} refused`,
		...(unknown ? [`invitations that may have gone out since, and are unknown: ${unknown}`] : []),
		...lines.map(({ line, error }) => `  line ${line}: ${error}`),
		...(refused > lines.length ? ["  …"] : []),
		...(unread
			? [`Columns not read: ${unread.map((name) => JSON.stringify(name)).join(", ")}`]
			: []),
	].join("\n");
}

function byKey({ registration: a }: ReadLine, { registration: b }: ReadLine): number {
	return a.key === b.key ? 0 : a.key < b.key ? -1 : 1;
}
