import { createHmac } from "node:crypto";
import { parseJson } from "../../http/fields.ts";
import { isSame } from "../../http/same.ts";
import { HOUR_MS } from "../../time.ts";
import {
	at,
	complaint,
	emailIdIn,
	type Feedback,
	hardBounce,
	type ReadFeedback,
	refused,
	textAt,
} from "./feedback.ts";

/** Mailgun retries for eight hours, with the signature of the first attempt. */
const WINDOW_MS = 8.5 * HOUR_MS;

/** Why Mailgun gave up an email for good: it bounced, or an earlier one to the address did. */
const GONE = ["bounce", "suppress-bounce"];

/**
 * Reads the webhooks of Mailgun:
 * https://documentation.mailgun.com/docs/mailgun/user-manual/webhooks/securing-webhooks. Only time and
 * token are signed, so feedback needs the Message-ID of the email, which only its person and Mailgun
 * know.
 */
export function verifyMailgun(key: string): ReadFeedback {
	return (_call, text, now) => {
		const body = parseJson(text);
		const timestamp = textAt(body, "signature", "timestamp");
		const token = textAt(body, "signature", "token");
		// They are signed without a separator: other lengths could move the border between the two.
		if (!/^\d{10}$/.test(timestamp) || !/^\w{50}$/.test(token)) return refused("it is not signed");
		const hmac = createHmac("sha256", key).update(timestamp + token);
		if (!isSame(textAt(body, "signature", "signature"), hmac.digest("hex"))) {
			return refused("it is not signed by the key in WAITLIST_FEEDBACK");
		}
		if (Math.abs(now - Number(timestamp) * 1000) > WINDOW_MS) {
			return refused("it was signed more than eight hours ago: check the clock");
		}
		const feedback = readEvent(at(body, "event-data"));
		return { outcome: "accepted", feedback: feedback ? [feedback] : [] };
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
		GONE.includes(textAt(event, "reason")) &&
		textAt(event, "delivery-status", "bounce-type") !== "soft";
	if (!isGone) return undefined;
	const status = at(event, "delivery-status");
	return hardBounce(about, textAt(status, "enhanced-code"), textAt(status, "message"));
}
