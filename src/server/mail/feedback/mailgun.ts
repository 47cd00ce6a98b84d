import { createHmac } from "node:crypto";
import { isSame } from "../../http/same.ts";
import {
	complaint,
	emailIdIn,
	type Feedback,
	hardBounce,
	type ReadFeedback,
	refused,
} from "./feedback.ts";
import { at, parseJson, textAt } from "./json.ts";

/** Mailgun tries again for eight hours, and sends the same signature each time. */
const WINDOW_MS = 8.5 * 60 * 60_000;

/** Why Mailgun gave up an email for good: it came back, or one to the address did before. */
const GONE = new Set(["bounce", "suppress-bounce"]);

/**
 * Reads the webhooks of Mailgun:
 * https://documentation.mailgun.com/docs/mailgun/user-manual/webhooks/securing-webhooks. Only time and
 * token are signed, and not what is said: a token counts once, and feedback only with the Message-ID of
 * the email, which nobody but its person and Mailgun knows.
 */
export function verifyMailgun(key: string): ReadFeedback {
	return (_call, text, now) => {
		const body = parseJson(text);
		const timestamp = textAt(body, "signature", "timestamp");
		const token = textAt(body, "signature", "token");
		// Nothing is between the two as they are signed: of other lengths they could be other ones.
		if (!/^\d{10}$/.test(timestamp) || !/^\w{50}$/.test(token)) return refused("it is not signed");
		const expected = createHmac("sha256", key)
			.update(timestamp + token)
			.digest("hex");
		if (!isSame(textAt(body, "signature", "signature"), expected)) {
			return refused("it is not signed by the key in WAITLIST_FEEDBACK");
		}
		const sentAt = Number(timestamp) * 1000;
		if (Math.abs(now - sentAt) > WINDOW_MS) {
			return refused("it was signed more than eight hours ago: check the clock");
		}
		const feedback = readEvent(at(body, "event-data"));
		return {
			outcome: "accepted",
			feedback: feedback ? [feedback] : [],
			callId: { id: token, until: sentAt + WINDOW_MS },
		};
	};
}

function readEvent(event: unknown): Feedback | undefined {
	const about = {
		emailId: emailIdIn(textAt(event, "message", "headers", "message-id")),
		address: "",
		at: Number(textAt(event, "timestamp") || Number.NaN) * 1000,
	};
	if (textAt(event, "event") === "complained") return complaint(about);
	const isGone =
		textAt(event, "event") === "failed" &&
		textAt(event, "severity") === "permanent" &&
		GONE.has(textAt(event, "reason")) &&
		textAt(event, "delivery-status", "bounce-type") !== "soft";
	if (!isGone) return undefined;
	const status = at(event, "delivery-status");
	return hardBounce(about, textAt(status, "enhanced-code"), textAt(status, "message"));
}
