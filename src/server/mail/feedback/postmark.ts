import { isSame } from "../../http/same.ts";
import type { FeedbackSettings } from "../../settings/feedback.ts";
import { DAY_MS } from "../../time.ts";
import { parseJson, textAt } from "./json.ts";
import { complaint, hardBounce, type ReadReports, type Report, refused } from "./report.ts";

/** What Postmark says of addresses that do not exist, by the names of its bounces. */
const GONE = new Set(["HardBounce", "BadEmailAddress"]);

/** Postmark tries again for 72 minutes. Its calls have no time, so nothing else ends a repetition. */
const ONCE_MS = DAY_MS;

/**
 * Reads the webhooks of Postmark: https://postmarkapp.com/developer/webhooks/bounce-webhook. They are
 * not signed, so Postmark signs in (RFC 7617). It gives each letter a Message-ID of its own, and gives
 * back {@link postmarkHeaders}, without which a report does not count: as with Mailgun, a stolen call
 * is about one person.
 */
export function readPostmark({
	user,
	password,
}: NonNullable<FeedbackSettings["postmark"]>): ReadReports {
	return (call, text, now) => {
		const [, given = ""] = /^Basic +(\S+)$/i.exec(call.header("authorization") ?? "") ?? [];
		if (!isSame(Buffer.from(given, "base64"), `${user}:${password}`)) {
			return refused("user and password are not those in WAITLIST_FEEDBACK");
		}
		const body = parseJson(text);
		const type = textAt(body, "RecordType");
		const id = textAt(body, "ID");
		const report = reportOf(body, type);
		return {
			outcome: "heard",
			reports: report ? [report] : [],
			once: id === "" ? undefined : { id: `${type} ${id}`, until: now + ONCE_MS },
		};
	};
}

/** What a letter has to carry for Postmark, which takes it off before it sends the letter. */
export function postmarkHeaders(letter: string): Record<string, string> {
	return { "X-PM-Metadata-Letter": letter };
}

function reportOf(body: unknown, type: string): Report | undefined {
	const letter = textAt(body, "Metadata", "Letter") || textAt(body, "Metadata", "letter");
	const about = {
		// Other systems may have metadata of that name, and PostgreSQL does not take every text.
		letter: /^[\da-f]{32}$/.test(letter) ? letter : undefined,
		email: "",
		at: Date.parse(textAt(body, "BouncedAt")),
	};
	if (type === "SpamComplaint") return complaint(about);
	if (type !== "Bounce" || !GONE.has(textAt(body, "Type"))) return undefined;
	return hardBounce(about, textAt(body, "Details"));
}
