import { createHmac } from "node:crypto";
import { parseJson } from "../../http/fields.ts";
import { isSame } from "../../http/same.ts";
import { MINUTE_MS } from "../../time.ts";
import {
	complaint,
	emailIdIn,
	type Feedback,
	hardBounce,
	listAt,
	type ReadFeedback,
	refused,
	textAt,
} from "./feedback.ts";

/** The tolerance that Standard Webhooks advises. */
const WINDOW_MS = 5 * MINUTE_MS;

/**
 * Reads the webhooks of Resend: https://resend.com/docs/webhooks/emails/bounced. They are signed by
 * Standard Webhooks 1.0, under the names of Svix. By SMTP Resend returns nothing that we send along,
 * and makes its own Message-ID: emails are found by their address.
 *
 * @param secret in base64
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
		if (Math.abs(now - Number(timestamp) * 1000) > WINDOW_MS) {
			return refused("it was signed more than five minutes ago: check the clock");
		}
		return { outcome: "accepted", feedback: readEvent(parseJson(text)) };
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
