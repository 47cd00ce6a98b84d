import { parseJson } from "../../http/fields.ts";
import { isSame } from "../../http/same.ts";
import type { FeedbackSettings } from "../../settings/feedback.ts";
import {
	complaint,
	type Feedback,
	hardBounce,
	type ReadFeedback,
	refused,
	textAt,
} from "./feedback.ts";

/** Postmark's names for bounces of addresses that do not exist. */
const GONE = ["HardBounce", "BadEmailAddress"];

/**
 * Reads the webhooks of Postmark: https://postmarkapp.com/developer/webhooks/bounce-webhook. They are
 * not signed, so Postmark signs in (RFC 7617). It makes its own Message-ID, and returns
 * {@link postmarkHeaders}, without which feedback does not count: a stolen call is about one person.
 */
export function verifyPostmark({
	user,
	password,
}: NonNullable<FeedbackSettings["postmark"]>): ReadFeedback {
	return (call, text) => {
		const [, given = ""] = /^Basic +(\S+)$/i.exec(call.header("authorization") ?? "") ?? [];
		if (!isSame(Buffer.from(given, "base64"), `${user}:${password}`)) {
			return refused("user and password are not those in WAITLIST_FEEDBACK");
		}
		const feedback = readEvent(parseJson(text));
		return { outcome: "accepted", feedback: feedback ? [feedback] : [] };
	};
}

/** Postmark removes these headers before it sends the email. */
export const postmarkHeaders = (emailId: string): Record<string, string> => ({
	"X-PM-Metadata-Email": emailId,
});

function readEvent(body: unknown): Feedback | undefined {
	const emailId = textAt(body, "Metadata", "Email") || textAt(body, "Metadata", "email");
	const about = {
		// Other systems may have metadata of that name, and PostgreSQL does not take every text.
		emailId: /^[\da-f]{32}$/.test(emailId) ? emailId : undefined,
		address: "",
		at: Date.parse(textAt(body, "BouncedAt")),
	};
	const type = textAt(body, "RecordType");
	if (type === "SpamComplaint") return complaint(about);
	if (type !== "Bounce" || !GONE.includes(textAt(body, "Type"))) return undefined;
	return hardBounce(about, textAt(body, "Details"));
}
