import { canonicalizeEmail } from "#shared/email.ts";
import { SOURCE_MAX_LENGTH } from "#shared/join.ts";
import type { ExportedInvitation } from "../mail/emails/invitations.ts";
import { isWaveName } from "../mail/waves.ts";
import { type PersonFacts, withDefaultFacts } from "../registrations/facts.ts";
import { isSourceLabel, type Registration } from "../registrations/registrations.ts";
import { asciiDomain } from "../text/ascii-domain.ts";
import { latestCredibleTime, parseTime } from "../time.ts";
import { type ImportLine, normalizeColumn } from "./import-formats.ts";

export interface RefusedCell {
	line: number;
	column: string;
	value: string;
	error: string;
}

export interface ValidLine {
	line: number;
	registration: Registration;
	facts: PersonFacts | undefined;
	invitation: ExportedInvitation | undefined;
	dated: boolean;
}

/** Databases reject NUL and lone surrogates; U+FFFD replaces invalid UTF-8. */
const NOT_KEPT = /[\0\p{Cs}\uFFFD]/u;

const TIMES = [
	...(["joinedAt", "confirmedAt", "invitedAt", "unknownAt"] as const),
	...(["expiresAt", "redeemedAt"] as const),
];

const NO_FIELDS = {
	...{ email: "", source: "", terms: "", flag: "", wave: "", joinedAt: "", confirmedAt: "" },
	...{ unsubscribedAt: "", bouncedAt: "", invitedAt: "", unknownAt: "" },
	...{ expiresAt: "", redeemedAt: "" },
};

/** Fields that contain the time from which a person gets no email. */
type NoEmailField = "unsubscribedAt" | "bouncedAt";

/** Kinds of columns that may forbid email. */
type Meaning = "status" | "subscribed" | NoEmailField;

/** Columns of our export and of Mailchimp, Brevo, HubSpot, Ghost, Shopify, Klaviyo and Substack. */
const MEANINGS: readonly [Meaning, RegExp][] = [
	["status", /^(email|address|contact|member|subscri(ber|ption)|marketing)*(status|state)$/],
	[
		"subscribed",
		/^(is|email|marketing)*(active|consent|subscribed(toemails)?|opt(ed)?in|accepts(email)?marketing)$/,
	],
	[
		"unsubscribedAt",
		/^(is|has|email)*(left|unsub(scribed?)?(fromallemails?)?|opt(ed)?out(ofemails?)?|b(lack|lock)list(ed)?|blocked|complained|disabled|suppressed)(at|on|time|date)?$/,
	],
	["bouncedAt", /^(is|has|email|hard)*(bounced?|cleaned|clean(?=time))(at|on|time|date)?$/],
];

type Word = NoEmailField | "subscribed" | "yes" | "no";

const WORDS = new Map(
	Object.entries({
		subscribed: "subscribed active enabled confirmed verified optin optedin pending unconfirmed",
		unsubscribedAt:
			"unsubscribed unsubscribe left optout optedout canceled cancelled blocked blacklisted blocklisted " +
			"suppressed complained complaint spam disabled inactive removed deleted",
		bouncedAt: "bounced bounce hardbounce hardbounced cleaned invalid undeliverable",
		yes: "yes y true 1 x",
		no: "no n false 0 never none null",
	}).flatMap(([word, spellings]) =>
		spellings.split(" ").map((spelling) => [spelling, word as Word] as const),
	),
);

/** Returns undefined if the cell allows email. If it forbids email, `at` is the time, or '' if it names none. */
function readNoEmailCell(
	meaning: Meaning,
	text: string,
	latest: string,
): { field: NoEmailField; at: string } | { expected: string } | undefined {
	const word = WORDS.get(normalizeColumn(text));
	if (text === "" || word === "subscribed") return undefined;
	if (word === "unsubscribedAt" || word === "bouncedAt") return { field: word, at: "" };
	if (meaning === "status") return { expected: "subscribed, unsubscribed or bounced" };
	const time = parseTime(text) ?? "";
	if (word === undefined && (time === "" || time > latest)) {
		return { expected: "yes, no or a past time, such as 2026-11-21 09:30" };
	}
	if (meaning === "subscribed") {
		return word === "no" ? { field: "unsubscribedAt", at: "" } : undefined;
	}
	return word === "no" ? undefined : { field: meaning, at: word === "yes" ? "" : time };
}

/** Validates lines. @throws Error for an unclear cell that may forbid email */
export function createLineReader(
	source: string,
	now: Date,
	unread: Set<string>,
): (line: ImportLine) => ValidLine | RefusedCell {
	const [nowIso, latest] = [now.toISOString(), latestCredibleTime(now)];
	const meanings = new Map<string, Meaning | undefined>();
	function meaningOf(column: string): Meaning | undefined {
		if (!meanings.has(column)) {
			const name = normalizeColumn(column);
			meanings.set(column, MEANINGS.find(([, names]) => names.test(name))?.[0]);
		}
		return meanings.get(column);
	}
	return (read) => {
		const { line } = read;
		function refuse(column: string, value: unknown, error: string): RefusedCell {
			return { line, column, value: shown(value), error };
		}
		if ("text" in read) return refuse("", read.text, "expected a JSON object");
		const fields = { ...NO_FIELDS };
		const undated: NoEmailField[] = [];
		for (const [column, value] of Object.entries(read.fields)) {
			const meaning = meaningOf(column);
			if (meaning) {
				const no = readNoEmailCell(meaning, textOf(value), latest);
				if (no && "expected" in no) throw new Error(mayBeNo(line, column, value, no.expected));
				if (no?.at === "") undated.push(no.field);
				else if (no && no.at > fields[no.field]) fields[no.field] = no.at;
			} else if (Object.hasOwn(fields, column)) {
				if (typeof value !== "string") return refuse(column, value, "expected text");
				if (NOT_KEPT.test(value)) return refuse(column, value, "expected text in UTF-8");
				fields[column as keyof typeof fields] = value;
			} else if (column !== "key" && textOf(value) !== "") unread.add(column);
		}
		const [, written = fields.email] = /^[^<>]*<([^<>]*)>\s*$/.exec(fields.email) ?? [];
		const address = canonicalizeEmail(written, asciiDomain);
		if ("error" in address) return refuse("email", fields.email, "expected an email address");
		const { key, email } = address;
		const label = fields.source || source;
		if (!isSourceLabel(label)) {
			return refuse("source", label, `expected 1 to ${SOURCE_MAX_LENGTH} printable characters`);
		}
		for (const name of TIMES) {
			const text = fields[name];
			if (text === "") continue;
			const time = parseTime(text);
			if (time === undefined) return refuse(name, text, "expected a date or time");
			// Only the expiry of a code may be in the future.
			if (name !== "expiresAt" && time > latest) return refuse(name, text, "expected a past time");
			fields[name] = time;
		}
		for (const field of undated) if (fields[field] <= fields.confirmedAt) fields[field] = nowIso;
		const { wave, flag, terms, joinedAt, confirmedAt, unsubscribedAt, bouncedAt } = fields;
		const { invitedAt, unknownAt, expiresAt, redeemedAt } = fields;
		// An empty `invitedAt` is from our export, and means that the invitation was not sent yet.
		const isInvited =
			wave !== "" && (invitedAt !== "" || unknownAt !== "" || read.fields.invitedAt === "");
		if (isInvited && !isWaveName(wave)) return refuse("wave", wave, "expected a wave name");
		const facts = withDefaultFacts(key, {
			confirmedAt,
			confirmedBy: confirmedAt && "import",
			// A later confirmation cancels an unsubscribe or a bounce.
			unsubscribedAt: unsubscribedAt > confirmedAt ? unsubscribedAt : "",
			bouncedAt: bouncedAt > confirmedAt ? bouncedAt : "",
		});
		return {
			line,
			registration: { key, email, source: label, flag, terms, joinedAt: joinedAt || nowIso },
			facts: confirmedAt || unsubscribedAt || bouncedAt ? facts : undefined,
			invitation: isInvited
				? { key, wave, invitedAt, unknownAt, expiresAt, redeemedAt }
				: undefined,
			dated: joinedAt !== "",
		};
	};
}

const shown = (cell: unknown) => textOf(cell).slice(0, 100);

const mayBeNo = (line: number, column: string, value: unknown, expected: string) =>
	`line ${line}: ${JSON.stringify(column)} is ${JSON.stringify(shown(value))}, which may mean no ` +
	`email for this person. Write ${expected} there, or rename the column if it is about something else`;

function textOf(cell: unknown): string {
	return typeof cell === "object" ? (cell ? "{…}" : "") : String(cell).trim();
}
