import { parseTime } from "../time.ts";
import { columnName } from "./import-formats.ts";

/** The field that a "no" to email fills in. */
export type Refusal = "unsubscribedAt" | "bouncedAt";

/** A column is a status, a time of a refusal, or whether a person is subscribed. */
type Meaning = "status" | "subscribed" | Refusal;

/**
 * Columns of our export, Mailchimp (`UNSUB_TIME`, `CLEAN_TIME`), Brevo (`EMAIL_BLACKLISTED`), HubSpot
 * (`Unsubscribed from all email`), Ghost (`subscribed_to_emails`), Shopify (`Accepts Email Marketing`),
 * Klaviyo (`Email Marketing Consent`), Substack (`email_disabled`) and others.
 */
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

/** @param column as its file spells it; returns undefined for a column about something else */
export function meaningOf(column: string): Meaning | undefined {
	const name = columnName(column);
	return MEANINGS.find(([, names]) => names.test(name))?.[0];
}

type Word = Refusal | "subscribed" | "yes" | "no";

const WORDS: Readonly<Record<Word, string>> = {
	subscribed: "subscribed active enabled confirmed verified optin optedin pending unconfirmed",
	unsubscribedAt:
		"unsubscribed unsubscribe left optout optedout canceled cancelled blocked blacklisted blocklisted " +
		"suppressed complained complaint spam disabled inactive removed deleted",
	bouncedAt: "bounced bounce hardbounce hardbounced cleaned invalid undeliverable",
	yes: "yes y true 1 x",
	no: "no n false 0 never none null",
};

const WORD_OF = new Map(
	Object.entries(WORDS).flatMap(([word, spellings]) =>
		spellings.split(" ").map((spelling) => [spelling, word as Word]),
	),
);

/**
 * Reads a cell of such a column.
 *
 * @param latest no credible time is later
 * @returns undefined where it does not refuse email; `at` is '' for a refusal without a time
 * @throws Error that names the cell, its value and the way out, to end a sentence with
 */
export function refusalIn(
	cell: { line: number; column: string; meaning: Meaning; value: unknown },
	latest: string,
): { field: Refusal; at: string } | undefined {
	const { line, column, meaning } = cell;
	const text = textOf(cell.value);
	if (text === "") return undefined;
	const word = WORD_OF.get(columnName(text));
	if (word === "unsubscribedAt" || word === "bouncedAt") return { field: word, at: "" };
	if (word === "subscribed") return undefined;
	const time = parseTime(text);
	const at = time !== undefined && time <= latest ? time : undefined;
	if (meaning === "subscribed") {
		if (word === "yes" || at !== undefined) return undefined;
		if (word === "no") return { field: "unsubscribedAt", at: "" };
	} else if (meaning !== "status") {
		if (word === "no") return undefined;
		if (word === "yes" || at !== undefined) return { field: meaning, at: at ?? "" };
	}
	throw new Error(
		`line ${line}: ${JSON.stringify(column)} is ${JSON.stringify(text)}, which may be a "no" to email. Write ` +
			(meaning === "status"
				? "subscribed, unsubscribed or bounced"
				: "yes, no or a past time such as 2026-11-21 09:30") +
			" there, or rename the column if it is about something else",
	);
}

/** @param cell text of CSV, or any value of JSON; '' where it is empty */
export function textOf(cell: unknown): string {
	return typeof cell === "object" ? (cell ? "{…}" : "") : String(cell).trim();
}
