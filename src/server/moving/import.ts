import type { Readable } from "node:stream";
import { canonicalEmail } from "#shared/email.ts";
import { asciiDomain } from "../ascii-domain.ts";
import { ask, type Query } from "../database/database.ts";
import { reasonOf } from "../files/files.ts";
import { addInvitations, type KnownInvitation } from "../letters/invitations.ts";
import { applyLeavings, proofOfLeaving } from "../letters/links/leaving.ts";
import { refuseOfLeft } from "../letters/table/letter-changes.ts";
import { isWaveName, WAVE_NAME_INVALID } from "../letters/wave/wave.ts";
import { latestCredible, parseTime } from "../time.ts";
import { findErased, keepProofs, readFingerprint } from "../waitlist/erasures.ts";
import { openOrMakeProofs, openProofs } from "../waitlist/open-proofs.ts";
import type { Operation } from "../waitlist/operation.ts";
import { lockPeople } from "../waitlist/people.ts";
import { mergeRecipients, type Recipient, recipientOf } from "../waitlist/recipients.ts";
import { insertRegistrations, type Registration } from "../waitlist/registrations.ts";
import { isSourceLabel, SOURCE_INVALID } from "../waitlist/source.ts";
import { tellOf } from "../waitlist/telling.ts";
import { type ImportFormat, readLines } from "./import-formats.ts";

/** The result of an import. */
interface Imported {
	added: number;
	duplicates: number;
	refused: number;
	/** Invitations that may have gone out since the file was written; absent where there is none. */
	unknown?: number;
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
const BATCH_ROWS = 1000;

/**
 * Lines that are read ahead, to be added in the order of their keys. A batch of 1000 keys by chance
 * touches nearly 1000 pages of every index that starts with the key, and each page is written twice,
 * to the journal and to the file. In order, a batch touches a sixteenth of them.
 */
const MOST_AHEAD = 16 * BATCH_ROWS;

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
	const defaults: Defaults = { source, terms, createdAt: now.toISOString() };
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
		const within = { query, dialect: database.dialect };
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
		const added = new Set(await insertRegistrations(query, within, kept));
		// PostgreSQL may have waited for an erasure that was committed after the first look.
		const isFirst = !proofs && (await readFingerprint(query)) !== undefined;
		const rows = kept.filter(({ key }) => added.has(key));
		const erasedSince = await findErased(within, proofs, rows);
		const isBack = rows.some(({ key }) => {
			const time = erasedSince({ key, createdAt: "" });
			return time !== undefined && time !== erasedBefore({ key, createdAt: "" });
		});
		if (isFirst || isBack) throw ERASED_MEANWHILE;
		await ask(query, tellOf(database.dialect, "joined", [...added], now.toISOString()));
		const unknown = await addRecipients(query, keptLines);
		return { added: added.size, erased, unknown };
	}

	/** Brings in what is known of these people's letters. Gives how many are unknown. */
	async function addRecipients(query: Query, lines: readonly ReadLine[]): Promise<number> {
		const { dialect } = database;
		const keys = lines.map(({ registration }) => registration.key);
		const present = new Set(await lockPeople(query, dialect, keys));
		const recipients = recipientsAmong(lines).filter(({ key }) => present.has(key));
		await mergeRecipients(query, dialect, recipients);
		const invitations = lines.flatMap(({ invitation }) => invitation ?? []);
		const invited = invitations.filter(({ key }) => present.has(key));
		const unknown = await addInvitations(query, dialect, invited, now);
		if (!proofs) return unknown;
		const opened = proofs;
		const leavings = recipients
			.filter(({ leftAt }) => leftAt !== "")
			.map(({ key, leftAt }) => proofOfLeaving(opened, key, leftAt, "import"));
		if (leavings.length > 0) await keepProofs(query, database, opened, leavings);
		await applyLeavings(query, database, opened, [...present]);
		await ask(query, refuseOfLeft(dialect, [...present], now));
		return unknown;
	}

	async function readAll(): Promise<void> {
		// Few at first: whoever pipes a list in sees soon that it works.
		let most = BATCH_ROWS;
		let total = 0;
		for await (const line of readLines[format](input)) {
			lastLine = line.line;
			const read = "error" in line ? line : registrationOf(line.fields, defaults, now);
			if ("error" in read) refuse(line.line, read.error);
			else if (ahead.push({ line: line.line, ...read }) === most) {
				await addAhead();
				total += most;
				most = Math.min(total, MOST_AHEAD);
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
	imported.lines.sort((a, b) => a.line - b.line);
	return imported;
}

/** Says to the operator how an import went, or how far it came. */
export function importedAsText({ added, duplicates, refused, unknown, lines }: Imported): string {
	return [
		`${added} added, ${duplicates} already there, ${refused} refused`,
		...(unknown ? [`invitations that may have gone out since, and are unknown: ${unknown}`] : []),
		...lines.map(({ line, error }) => `  line ${line}: ${error}`),
		...(refused > lines.length ? ["  …"] : []),
	].join("\n");
}

function byKey({ registration: a }: ReadLine, { registration: b }: ReadLine): number {
	return a.key < b.key ? -1 : a.key > b.key ? 1 : 0;
}

/** What a line gets that does not name it. */
type Defaults = Pick<Registration, "source" | "terms" | "createdAt">;

/** What a line says of letters. Times are ISO 8601; '' is never. */
type KnownTimes = Pick<Recipient, (typeof TIMES)[number]>;

/** A line that can be added, unless its address was erased. */
interface ReadLine {
	line: number;
	registration: Registration;
	known: KnownTimes;
	/** Undefined where the line knows of none that went out. */
	invitation: KnownInvitation | undefined;
	/** Whether the line itself names the time. */
	dated: boolean;
}

/** What no database keeps, and what bytes become that are not UTF-8. */
const NOT_KEPT = /[\0\p{Cs}\uFFFD]/u;

/** Whether a database keeps a text as it is. */
export const isKept = (text: string) => !NOT_KEPT.test(text);

/** What an export says of letters. */
const TIMES = ["confirmedAt", "leftAt", "bouncedAt"] as const;

/** What an export says of an invitation besides its wave. */
const INVITATION_TIMES = ["invitedAt", "unknownAt", "expiresAt", "redeemedAt"] as const;

/** Times that a line may have: those of a code may be to come. */
const ALL_TIMES = ["createdAt", ...TIMES, ...INVITATION_TIMES] as const;
type Time = (typeof ALL_TIMES)[number];

/** The fields that a line may have. The key is computed from the address. */
const FIELDS = ["email", "source", "terms", "flags", "wave", ...ALL_TIMES] as const;

/** Checks the fields of one line. An empty field counts as absent: spreadsheets write such fields. */
function registrationOf(
	fields: Record<string, unknown>,
	defaults: Defaults,
	now: Date,
): Omit<ReadLine, "line"> | { error: string } {
	const named: Partial<Record<(typeof FIELDS)[number], string>> = {};
	for (const name of FIELDS) {
		const value = fields[name] ?? "";
		if (value === "") continue;
		if (typeof value !== "string") return { error: `"${name}" must be text.` };
		const [bad] = NOT_KEPT.exec(value) ?? [];
		if (bad !== undefined) return { error: `"${name}" holds ${codePointOf(bad)}: is it UTF-8?` };
		named[name] = value;
	}

	const address = canonicalEmail(named.email ?? "", asciiDomain);
	if ("error" in address) return address;
	const { source, terms, flags, wave, ...given } = { flags: "", wave: "", ...defaults, ...named };
	if (!isSourceLabel(source)) return { error: SOURCE_INVALID };
	const times = Object.fromEntries(ALL_TIMES.map((name) => [name, ""])) as Record<Time, string>;
	for (const name of ALL_TIMES) {
		const text = given[name];
		if (text === undefined) continue;
		const time = parseTime(text);
		if (time === undefined) return { error: `${JSON.stringify(text)} is not a date or time.` };
		const isTooLate = name !== "expiresAt" && time > latestCredible(now);
		if (isTooLate) return { error: `${time} is in the future.` };
		times[name] = time;
	}
	const { createdAt, invitedAt, unknownAt, expiresAt, redeemedAt, ...known } = times;
	const registration = { ...address, source, createdAt, terms, flags };
	// Only an export says of an invitation that it has not gone out.
	const isInvited =
		wave !== "" && (invitedAt !== "" || unknownAt !== "" || fields.invitedAt === "");
	if (isInvited && !isWaveName(wave)) return { error: `"wave": ${WAVE_NAME_INVALID}` };
	const invitation = isInvited
		? { key: registration.key, wave, invitedAt, unknownAt, expiresAt, redeemedAt }
		: undefined;
	return { registration, known, invitation, dated: named.createdAt !== undefined };
}

/**
 * The people of whom lines tell more than their join: each person once, with the latest of each
 * time.
 */
function recipientsAmong(lines: readonly Pick<ReadLine, "registration" | "known">[]): Recipient[] {
	const latest = new Map<string, KnownTimes>();
	for (const { registration, known } of lines) {
		if (TIMES.every((name) => known[name] === "")) continue;
		const earlier = latest.get(registration.key) ?? known;
		const later = (name: keyof KnownTimes) => [known[name], earlier[name]].sort().at(-1)!;
		latest.set(registration.key, {
			confirmedAt: later("confirmedAt"),
			leftAt: later("leftAt"),
			bouncedAt: later("bouncedAt"),
		});
	}
	return Array.from(latest, ([key, { confirmedAt, leftAt, bouncedAt }]) =>
		recipientOf(key, {
			confirmedAt,
			confirmedBy: confirmedAt && "import",
			// Whoever has confirmed since is back.
			leftAt: leftAt > confirmedAt ? leftAt : "",
			bouncedAt: bouncedAt > confirmedAt ? bouncedAt : "",
		}),
	);
}

function codePointOf(character: string): string {
	return `U+${character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, "0")}`;
}
