import { createHmac } from "node:crypto";
import { isSame, parseJson } from "../../http/call.ts";
import type { FeedbackSettings } from "../../settings/feedback.ts";
import { HOUR_MS, MINUTE_MS } from "../../time.ts";
import {
	accepted,
	complaint,
	emailIdIn,
	type Feedback,
	hardBounce,
	listAt,
	type ReadFeedback,
	refused,
	textAt,
} from "./feedback.ts";

/** Mailgun retries for eight hours, with the signature of the first attempt. */
const MAILGUN_WINDOW_MS = 8.5 * HOUR_MS;

const MAILGUN_GONE = ["bounce", "suppress-bounce"];

/**
 * https://documentation.mailgun.com/docs/mailgun/user-manual/webhooks/securing-webhooks. Only time and token
 * are signed, so feedback needs the Message-ID of the email, which only its person and Mailgun know.
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
		if (Math.abs(now - Number(timestamp) * 1000) > MAILGUN_WINDOW_MS) {
			return refused("it was signed more than eight hours ago: check the clock");
		}
		return accepted(readMailgun((...path) => textAt(body, "event-data", ...path)));
	};
}

function readMailgun(field: (...path: string[]) => string): Feedback | undefined {
	const about = {
		emailId: emailIdIn(field("message", "headers", "message-id")),
		address: "",
		at: Number(field("timestamp") || Number.NaN) * 1000,
	};
	if (field("event") === "complained") return complaint(about);
	const isGone =
		field("event") === "failed" &&
		field("severity") === "permanent" &&
		MAILGUN_GONE.includes(field("reason")) &&
		field("delivery-status", "bounce-type") !== "soft";
	if (!isGone) return undefined;
	const texts = ["enhanced-code", "message"].map((name) => field("delivery-status", name));
	return hardBounce(about, ...texts);
}

const POSTMARK_GONE = ["HardBounce", "BadEmailAddress"];

/**
 * https://postmarkapp.com/developer/webhooks/bounce-webhook. They are not signed, so Postmark signs in (RFC
 * 7617). It makes its own Message-ID, and returns {@link postmarkHeaders}, without which feedback does not
 * count: a stolen call is about one person.
 */
export function verifyPostmark(login: NonNullable<FeedbackSettings["postmark"]>): ReadFeedback {
	return (call, text) => {
		const [, given = ""] = /^Basic +(\S+)$/i.exec(call.header("authorization") ?? "") ?? [];
		if (!isSame(Buffer.from(given, "base64"), `${login.user}:${login.password}`)) {
			return refused("user and password are not those in WAITLIST_FEEDBACK");
		}
		return accepted(readPostmark(parseJson(text)));
	};
}

export const postmarkHeaders = (emailId: string) => ({ "X-PM-Metadata-Email": emailId });

function readPostmark(body: unknown): Feedback | undefined {
	const emailId = textAt(body, "Metadata", "Email") || textAt(body, "Metadata", "email");
	const about = {
		// Other systems may have metadata of that name, and PostgreSQL does not take every text.
		emailId: /^[\da-f]{32}$/.test(emailId) ? emailId : undefined,
		address: "",
		at: Date.parse(textAt(body, "BouncedAt")),
	};
	const type = textAt(body, "RecordType");
	if (type === "SpamComplaint") return complaint(about);
	if (type !== "Bounce" || !POSTMARK_GONE.includes(textAt(body, "Type"))) return undefined;
	return hardBounce(about, textAt(body, "Details"));
}

/** The tolerance that Standard Webhooks advises. */
const RESEND_WINDOW_MS = 5 * MINUTE_MS;

/**
 * https://resend.com/docs/webhooks/emails/bounced. They are signed by Standard Webhooks 1.0, under the names
 * of Svix. By SMTP Resend returns nothing that we send along, and makes its own Message-ID: emails are found
 * by their address.
 */
export function verifyResend(secret: string): ReadFeedback {
	const key = Buffer.from(secret, "base64");
	return (call, text, now) => {
		const id = call.header("svix-id") ?? "";
		const timestamp = call.header("svix-timestamp") ?? "";
		// A dot in either could make one call of another.
		if (!/^[\w-]{1,128}$/.test(id) || !/^\d{10}$/.test(timestamp)) {
			return refused("it is not signed");
		}
		const expected = createHmac("sha256", key).update(`${id}.${timestamp}.${text}`).digest();
		const isSigned = (call.header("svix-signature") ?? "").split(" ").some((signature) => {
			const [version, code = ""] = signature.split(",");
			return version === "v1" && isSame(Buffer.from(code, "base64"), expected);
		});
		if (!isSigned) return refused("it is not signed by the secret in WAITLIST_FEEDBACK");
		if (Math.abs(now - Number(timestamp) * 1000) > RESEND_WINDOW_MS) {
			return refused("it was signed more than five minutes ago: check the clock");
		}
		return accepted(...readResend(parseJson(text)));
	};
}

function readResend(body: unknown): (Feedback | undefined)[] {
	const type = textAt(body, "type");
	const isGone = type === "email.bounced" && textAt(body, "data", "bounce", "type") === "Permanent";
	if (!isGone && type !== "email.complained") return [];
	return listAt(body, "data", "to").map((email) => {
		const about = {
			emailId: emailIdIn(textAt(body, "data", "message_id")),
			address: typeof email === "string" ? email : "",
			at: Date.parse(textAt(body, "created_at")),
		};
		return isGone ? hardBounce(about, textAt(body, "data", "bounce", "message")) : complaint(about);
	});
}
