import type { Readable } from "node:stream";
import { domainToASCII } from "node:url";
import { type Command, InvalidArgumentError, Option } from "commander";
import { canonicalEmail } from "#shared/email.ts";
import { isSourceLabel, SOURCE_INVALID } from "../join/fields.ts";
import { isWaveName, WAVE_NAME_INVALID } from "../letters/wave.ts";
import { keysAsJson } from "../waitlist/schema.ts";
import type { Registration } from "../waitlist/waitlist.ts";
import type { Query } from "./database/database.ts";
import { addInvitations, type KnownInvitation, refuseOfLeft } from "./database/letters.ts";
import { mergeRecipients, type Recipient, recipientOf } from "./database/recipients.ts";
import { insertRegistrations } from "./database/registrations.ts";
import { findErased, keepProofs, openProofs } from "./erasure/erasure.ts";
import { readFingerprint } from "./erasure/erasure-key.ts";
import { applyLeavings, proofOfLeaving } from "./erasure/leaving.ts";
import { openToRead, reasonOf } from "./files/files.ts";
import { type ImportFormat, readLines } from "./import-formats.ts";
import { EXIT, JSON_HELP, type Operation, print, withDatabase } from "./operation.ts";
import { latestCredible, parseTime } from "./time.ts";

/** Adds `waitlist import`: addresses from a file. */
export function addImport(program: Command): void {
	program
		.command("import <file>")
		.description("add addresses from a file, or from standard input with -")
		.addOption(
			new Option(
				"--format <format>",
				"csv (with a header), jsonl, or text: one address a line; by default from the file's name",
			).choices(["csv", "jsonl", "text"]),
		)
		.option("--source <label>", "for lines that name none", sourceLabel, "import")
		.option(
			"--terms <version>",
			"legal texts these people agreed to, for lines that name none",
			storable,
			"",
		)
		.option("--json", JSON_HELP)
		.action(async (file: string, { format, source, terms, json }) => {
			const input = file === "-" ? process.stdin : await openToRead(file);
			await withDatabase(
				async (operation) => {
					const settings = { format: format ?? formatOf(file), source, terms };
					const imported = await importRegistrations(operation, input, settings);
					print(json, imported, () => importedAsText(imported));
					if (imported.refused > 0) process.exitCode = EXIT.problem;
				},
				{ create: true },
			);
		});
}

function sourceLabel(text: string): string {
	if (isSourceLabel(text)) return text;
	throw new InvalidArgumentError(SOURCE_INVALID);
}

function storable(text: string): string {
	if (!UNSTORABLE.test(text)) return text;
	throw new InvalidArgumentError("It must be text in UTF-8.");
}

/** The format that a file has by its name. */
export function formatOf(file: string): ImportFormat {
	if (/\.csv$/i.test(file)) return "csv";
	return /\.(jsonl|ndjson)$/i.test(file) ? "jsonl" : "text";
}

/** The result of an import. */
interface Imported {
	added: number;
	duplicates: number;
	refused: number;
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

const BATCH_ROWS = 1000;

/** Ends the transaction of a batch when another command erased somebody meanwhile: try it again. */
const ERASED_MEANWHILE = new Error("somebody was erased meanwhile");

/**
 * Puts addresses on the list by the same rule as the site. Rows that are there already stay as they
 * are. Erased addresses do not come back.
 *
 * @throws Error that says to the operator what stopped the import, where, and what is in already
 */
async function importRegistrations(
	{ database, places, now, progress }: Operation,
	input: Readable,
	{ format, source, terms }: ImportSettings,
): Promise<Imported> {
	const defaults: Defaults = { source, terms, createdAt: now.toISOString() };
	let proofs = await openProofs(database, places);
	const imported: Imported = { added: 0, duplicates: 0, refused: 0, lines: [] };
	let batch: ReadLine[] = [];
	let lastLine = 0;
	function refuse(line: number, error: string): void {
		imported.refused += 1;
		if (imported.refused <= MOST_REFUSED_LINES) imported.lines.push({ line, error });
	}
	async function add(): Promise<void> {
		// Who left elsewhere has left here from now on: no backup may bring them back.
		const leaving = recipientsAmong(batch).some(({ leftAt }) => leftAt !== "");
		proofs ??= await openProofs(database, places, { erasing: leaving });
		const done = await database.transaction(addUnerased).catch((error: unknown) => {
			if (error !== ERASED_MEANWHILE) throw error;
		});
		if (!done) return add();
		imported.added += done.added;
		imported.duplicates += batch.length - done.erased.length - done.added;
		for (const { line, time } of done.erased) refuse(line, `This address was erased on ${time}.`);
		batch = [];
		progress.show("imported", imported.added + imported.duplicates, 0);
	}
	async function addUnerased(query: Query) {
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
		await addRecipients(query, keptLines);
		return { added: added.size, erased };
	}

	/** Brings in what is known of these people's letters. */
	async function addRecipients(query: Query, lines: readonly ReadLine[]): Promise<void> {
		const { dialect } = database;
		const keys = lines.map(({ registration }) => registration.key);
		// Whoever is being erased, or was meanwhile, is left out.
		const there = await query<{ key: string }>(
			`SELECT email_key AS "key" FROM registration
			WHERE email_key IN (SELECT value->>0 FROM ${dialect.jsonRows}) ${dialect.takeRows}`,
			[keysAsJson(keys)],
		);
		const present = new Set(there.map(({ key }) => key));
		const recipients = recipientsAmong(lines).filter(({ key }) => present.has(key));
		await mergeRecipients(query, dialect, recipients);
		const invitations = lines.flatMap(({ invitation }) => invitation ?? []);
		const invited = invitations.filter(({ key }) => present.has(key));
		await addInvitations(query, dialect, invited, now);
		if (!proofs) return;
		const opened = proofs;
		const leavings = recipients
			.filter(({ leftAt }) => leftAt !== "")
			.map(({ key, leftAt }) => proofOfLeaving(opened, key, leftAt));
		if (leavings.length > 0) await keepProofs(query, database, opened, leavings);
		await applyLeavings(query, database, opened, [...present]);
		await refuseOfLeft(query, dialect, [...present], now);
	}

	try {
		for await (const line of readLines[format](input)) {
			lastLine = line.line;
			const read = "error" in line ? line : registrationOf(line.fields, defaults, now);
			if ("error" in read) refuse(line.line, read.error);
			else if (batch.push({ line: line.line, ...read }) === BATCH_ROWS) await add();
		}
		if (batch.length > 0) await add();
	} catch (error) {
		throw new Error(
			`The import stopped after line ${lastLine}: ${reasonOf(error)}.\n` +
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

function importedAsText({ added, duplicates, refused, lines }: Imported): string {
	return [
		`${added} added, ${duplicates} already there, ${refused} refused`,
		...lines.map(({ line, error }) => `  line ${line}: ${error}`),
		...(refused > lines.length ? ["  …"] : []),
	].join("\n");
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
const UNSTORABLE = /[\0\p{Cs}\uFFFD]/u;

/** What an export says of letters. */
const TIMES = ["confirmedAt", "leftAt", "bouncedAt"] as const;

/** What an export says of an invitation besides its wave. */
const INVITATION_TIMES = ["invitedAt", "expiresAt", "redeemedAt"] as const;

/** Times that a line may have: those of a code may be to come. */
const ALL_TIMES = ["createdAt", ...TIMES, ...INVITATION_TIMES] as const;

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
		const [bad] = UNSTORABLE.exec(value) ?? [];
		if (bad !== undefined) return { error: `"${name}" holds ${codePointOf(bad)}: is it UTF-8?` };
		named[name] = value;
	}

	const address = canonicalEmail(named.email ?? "", domainToASCII);
	if ("error" in address) return address;
	const { source, terms, flags, wave, ...given } = { flags: "", wave: "", ...defaults, ...named };
	if (!isSourceLabel(source)) return { error: SOURCE_INVALID };
	const times = Object.fromEntries(ALL_TIMES.map((name) => [name, ""])) as Record<
		(typeof ALL_TIMES)[number],
		string
	>;
	for (const name of ALL_TIMES) {
		const text = given[name];
		if (text === undefined) continue;
		const time = parseTime(text);
		if (time === undefined) return { error: `${JSON.stringify(text)} is not a date or time.` };
		if (name !== "expiresAt" && time > latestCredible(now))
			return { error: `${time} is in the future.` };
		times[name] = time;
	}
	const { createdAt, invitedAt, expiresAt, redeemedAt, ...known } = times;
	const registration = { ...address, source, createdAt, terms, flags };
	const isInvited = wave !== "" && invitedAt !== "";
	if (isInvited && !isWaveName(wave)) return { error: `"wave": ${WAVE_NAME_INVALID}` };
	const invitation = isInvited
		? { key: registration.key, wave, invitedAt, expiresAt, redeemedAt }
		: undefined;
	return { registration, known, invitation, dated: named.createdAt !== undefined };
}

/** The people of whom lines know more than that they joined: each once, by the latest of each time. */
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
