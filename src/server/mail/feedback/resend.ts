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
import { listAt, parseJson, textAt } from "./json.ts";

/** How far the time of a call may be off, as the specification advises. */
const WINDOW_MS = 5 * 60_000;

/**
 * Reads the webhooks of Resend: https://resend.com/docs/webhooks/emails/bounced. They are signed by
 * Standard Webhooks 1.0, under the names of Svix, and each try has a signature of its own. By SMTP
 * Resend gives back nothing of what we send along, and makes its own Message-ID: emails are found by
 * their address.
 *
 * @param secret in base64
 */
export function verifyResend(secret: string): ReadFeedback {
	const key = Buffer.from(secret, "base64");
	return (call, text, now) => {
		const id = call.header("svix-id") ?? "";
		const timestamp = call.header("svix-timestamp") ?? "";
		// Neither may hold the sign between them, or one call could be read as another.
		if (!/^[\w-]{1,128}$/.test(id) || !/^\d{10}$/.test(timestamp)) {
			return refused("it is not signed");
		}
		const expected = createHmac("sha256", key).update(`${id}.${timestamp}.${text}`).digest();
		const given = (call.header("svix-signature") ?? "").split(" ");
		const isSigned = given.some((signature) => {
			const [version, code = ""] = signature.split(",");
			return version === "v1" && isSame(Buffer.from(code, "base64"), expected);
		});
		if (!isSigned) return refused("it is not signed by the secret in WAITLIST_FEEDBACK");
		const sentAt = Number(timestamp) * 1000;
		if (Math.abs(now - sentAt) > WINDOW_MS) {
			return refused("it was signed more than five minutes ago: check the clock");
		}
		const body = parseJson(text);
		return {
			outcome: "accepted",
			feedback: readEvent(body),
			callId: { id, until: sentAt + WINDOW_MS },
		};
	};
}

function readEvent(body: unknown): Feedback[] {
	const type = textAt(body, "type");
	const isGone = type === "email.bounced" && textAt(body, "data", "bounce", "type") === "Permanent";
	if (!isGone && type !== "email.complained") return [];
	return listAt(body, "data", "to").flatMap((email) => {
		const about = {
			emailId: emailIdIn(textAt(body, "data", "message_id")),
			address: typeof email === "string" ? email : "",
			at: Date.parse(textAt(body, "created_at")),
		};
		if (!isGone) return complaint(about);
		return hardBounce(about, textAt(body, "data", "bounce", "message")) ?? [];
	});
}
