import { canonicalEmail } from "#shared/email.ts";
import { SOURCE_MAX_LENGTH } from "#shared/join.ts";
import type { KnownInvitation } from "../mail/emails/invitations.ts";
import { isWaveName } from "../mail/wave/wave.ts";
import { type Facts, factsOf } from "../registrations/facts.ts";
import type { Registration } from "../registrations/registrations.ts";
import { isSourceLabel } from "../registrations/source.ts";
import { asciiDomain } from "../text/ascii-domain.ts";
import { latestCredible, parseTime } from "../time.ts";
import type { Line } from "./import-formats.ts";
import { meaningOf, type Refusal, refusalIn, textOf } from "./import-refusals.ts";

/** Values for lines that name none. */
export type Defaults = Pick<Registration, "source" | "joinedAt">;

/** Times that a line has besides the join, ISO 8601; '' is never. */
type KnownTimes = Pick<Facts, (typeof TIMES)[number]>;

/** A cell for which a line is refused. */
export interface Refused {
	line: number;
	/** The field; "" where the line has none. */
	column: string;
	value: string;
	/** Says the expected value, or what is wrong. */
	error: string;
}

/** A line that can be added, unless its address was deleted. */
export interface ReadLine {
	line: number;
	registration: Registration;
	/** Undefined where the line says nothing of emails. */
	known: KnownTimes | undefined;
	/** Undefined where the line knows of none that went out. */
	invitation: KnownInvitation | undefined;
	/** Whether the line itself names the time. */
	dated: boolean;
}

/** Characters that no database keeps, and the one that stands for bytes that are not UTF-8. */
const NOT_KEPT = /[\0\p{Cs}\uFFFD]/u;

/** Times of an export besides the join. */
const TIMES = ["confirmedAt", "unsubscribedAt", "bouncedAt"] as const;

/** Times that a line may have: what an export says of an invitation besides its wave is there too. */
const ALL_TIMES = [
	...["joinedAt", ...TIMES],
	...(["invitedAt", "unknownAt", "expiresAt", "redeemedAt"] as const),
] as const;

/** The fields that a line may have. */
const FIELDS = ["email", "source", "terms", "flag", "wave", ...ALL_TIMES] as const;

/** Refusals are read from other columns, too. */
const TAKEN = FIELDS.filter((name) => name !== "unsubscribedAt" && name !== "bouncedAt");

/** Columns that the end does not name. The key is computed from the address. */
const KNOWN: ReadonlySet<string> = new Set([...FIELDS, "key"]);

type Fields = Record<(typeof FIELDS)[number], string>;

const NO_FIELDS = Object.fromEntries(FIELDS.map((name) => [name, ""])) as Fields;

/**
 * Gives what checks the fields of one line. An empty field counts as absent: spreadsheets write such fields.
 *
 * @param unread gets the names of columns that are not read
 */
export function lineReader(
	defaults: Defaults,
	now: Date,
	unread = new Set<string>(),
): (line: Line) => ReadLine | Refused {
	const latest = latestCredible(now);
	const meanings = new Map<string, ReturnType<typeof meaningOf>>();
	/**
	 * @returns the refusals without a time
	 * @throws Error that names the line and the cell that may be a refusal, to end a sentence with
	 */
	function takeRefusals(line: number, from: Record<string, unknown>, into: Fields): Refusal[] {
		const undated: Refusal[] = [];
		for (const [column, value] of Object.entries(from)) {
			if (!meanings.has(column)) meanings.set(column, meaningOf(column));
			const meaning = meanings.get(column);
			if (meaning) {
				const refusal = refusalIn({ line, column, meaning, value }, latest);
				if (refusal?.at === "") undated.push(refusal.field);
				else if (refusal && refusal.at > into[refusal.field]) into[refusal.field] = refusal.at;
			} else if (!KNOWN.has(column) && textOf(value) !== "") unread.add(column);
		}
		return undated;
	}
	return (read) => {
		const { line } = read;
		const refuse = (column: string, value: unknown, error: string): Refused => ({
			...{ line, column, value: textOf(value).slice(0, SHOWN), error },
		});
		if ("text" in read) return refuse("", read.text, "expected a JSON object");
		const fields = { ...NO_FIELDS };
		for (const name of TAKEN) {
			const value = read.fields[name] ?? "";
			if (typeof value !== "string") return refuse(name, value, "expected text");
			if (NOT_KEPT.test(value)) return refuse(name, value, "expected text in UTF-8");
			fields[name] = value;
		}
		// As in `Ada <ada@example.com>`.
		const [, written = fields.email] = /^[^<>]*<([^<>]*)>\s*$/.exec(fields.email) ?? [];
		const address = canonicalEmail(written, asciiDomain);
		if ("error" in address) return refuse("email", fields.email, "expected an email address");
		const undated = takeRefusals(line, read.fields, fields);
		const { key, email } = address;
		const source = fields.source || defaults.source;
		if (!isSourceLabel(source)) {
			return refuse("source", source, `expected 1 to ${SOURCE_MAX_LENGTH} printable characters`);
		}
		for (const name of ALL_TIMES) {
			const text = fields[name];
			if (text === "") continue;
			const time = parseTime(text);
			if (time === undefined) return refuse(name, text, "expected a date or time");
			// A code may expire in the future.
			if (name !== "expiresAt" && time > latest) return refuse(name, text, "expected a past time");
			fields[name] = time;
		}
		for (const field of undated) {
			if (fields[field] <= fields.confirmedAt) fields[field] = now.toISOString();
		}
		const { wave, flag, confirmedAt, unsubscribedAt, bouncedAt } = fields;
		const { invitedAt, unknownAt, expiresAt, redeemedAt } = fields;
		// Only an export says of an invitation that it has not gone out.
		const isInvited =
			wave !== "" && (invitedAt !== "" || unknownAt !== "" || read.fields.invitedAt === "");
		if (isInvited && !isWaveName(wave)) return refuse("wave", wave, "expected the name of a wave");
		const isKnown = confirmedAt !== "" || unsubscribedAt !== "" || bouncedAt !== "";
		return {
			line,
			registration: {
				key,
				email,
				source,
				flag,
				joinedAt: fields.joinedAt || defaults.joinedAt,
				terms: fields.terms,
			},
			known: isKnown ? { confirmedAt, unsubscribedAt, bouncedAt } : undefined,
			invitation: isInvited
				? { key, wave, invitedAt, unknownAt, expiresAt, redeemedAt }
				: undefined,
			dated: fields.joinedAt !== "",
		};
	};
}

/** Characters of a refused cell that are shown. */
const SHOWN = 100;

/**
 * The people of whom lines tell more than their join: each person once, with the latest of each
 * time.
 */
export function recipientsAmong(
	lines: readonly Pick<ReadLine, "registration" | "known">[],
): Facts[] {
	const latest = new Map<string, KnownTimes>();
	for (const { registration, known } of lines) {
		if (!known) continue;
		const earlier = latest.get(registration.key) ?? known;
		const later = (name: keyof KnownTimes) => [known[name], earlier[name]].sort().at(-1)!;
		latest.set(registration.key, {
			confirmedAt: later("confirmedAt"),
			unsubscribedAt: later("unsubscribedAt"),
			bouncedAt: later("bouncedAt"),
		});
	}
	return Array.from(latest, ([key, { confirmedAt, unsubscribedAt, bouncedAt }]) =>
		factsOf(key, {
			confirmedAt,
			confirmedBy: confirmedAt && "import",
			// A later confirmation takes it back.
			unsubscribedAt: unsubscribedAt > confirmedAt ? unsubscribedAt : "",
			bouncedAt: bouncedAt > confirmedAt ? bouncedAt : "",
		}),
	);
}
