import { isSame } from "../../http/same.ts";
import type { FeedbackSettings } from "../../settings/feedback.ts";
import { DAY_MS } from "../../time.ts";
import { complaint, type Feedback, hardBounce, type ReadFeedback, refused } from "./feedback.ts";
import { parseJson, textAt } from "./json.ts";

/** What Postmark says of addresses that do not exist, by the names of its bounces. */
const GONE = new Set(["HardBounce", "BadEmailAddress"]);

/** Postmark tries again for 72 minutes. Its calls have no time, so nothing else ends a repetition. */
const ONCE_MS = DAY_MS;

/**
 * Reads the webhooks of Postmark: https://postmarkapp.com/developer/webhooks/bounce-webhook. They are
 * not signed, so Postmark signs in (RFC 7617). It gives each email a Message-ID of its own, and gives
 * back {@link postmarkHeaders}, without which feedback does not count: as with Mailgun, a stolen call
 * is about one person.
 */
export function verifyPostmark({
	user,
	password,
}: NonNullable<FeedbackSettings["postmark"]>): ReadFeedback {
	return (call, text, now) => {
		const [, given = ""] = /^Basic +(\S+)$/i.exec(call.header("authorization") ?? "") ?? [];
		if (!isSame(Buffer.from(given, "base64"), `${user}:${password}`)) {
			return refused("user and password are not those in WAITLIST_FEEDBACK");
		}
		const body = parseJson(text);
		const type = textAt(body, "RecordType");
		const id = textAt(body, "ID");
		const feedback = readEvent(body, type);
		return {
			outcome: "accepted",
			feedback: feedback ? [feedback] : [],
			callId: id === "" ? undefined : { id: `${type} ${id}`, until: now + ONCE_MS },
		};
	};
}

/** What an email has to carry for Postmark, which takes it off before it sends the email. */
export const postmarkHeaders = (emailId: string): Record<string, string> => ({
	"X-PM-Metadata-Email": emailId,
});

function readEvent(body: unknown, type: string): Feedback | undefined {
	const emailId = textAt(body, "Metadata", "Email") || textAt(body, "Metadata", "email");
	const about = {
		// Other systems may have metadata of that name, and PostgreSQL does not take every text.
		emailId: /^[\da-f]{32}$/.test(emailId) ? emailId : undefined,
		address: "",
		at: Date.parse(textAt(body, "BouncedAt")),
	};
	if (type === "SpamComplaint") return complaint(about);
	if (type !== "Bounce" || !GONE.has(textAt(body, "Type"))) return undefined;
	return hardBounce(about, textAt(body, "Details"));
}
