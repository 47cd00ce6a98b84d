import { createHmac, verify, X509Certificate } from "node:crypto";
import type { FeedbackProvider } from "#shared/links.ts";
import { type Call, isSameSecret, parseJson } from "../../http/call.ts";
import type { RateLimiter } from "../../http/limits.ts";
import type { FeedbackSettings, SnsTopic } from "../../settings/feedback.ts";
import { HOUR_MS, MINUTE_MS } from "../../time.ts";
import { classifyRefusal, findStatusCode } from "../smtp/smtp-outcome.ts";

export interface Feedback {
	kind: "bounce" | "complaint" | "refusal";
	emailId: string | undefined;
	/** Address as the provider spells it; '' if it has not signed the address. */
	address: string;
	/** Enhanced status code such as "5.1.1"; '' for complaints. */
	status: string;
	/** Time in ms since 1970, or NaN if missing or invalid. */
	at: number;
}

/** `notice` is a task for the founder. `later` makes the provider retry, because we cannot verify the call now. */
type FeedbackCall =
	| { outcome: "accepted"; feedback: Feedback[]; notice?: string }
	| { outcome: "refused"; why: string }
	| { outcome: "later"; why: string };

export type FeedbackReader = (
	call: Call,
	body: string,
	now: number,
) => FeedbackCall | Promise<FeedbackCall>;

const accepted = (...feedback: (Feedback | undefined)[]): FeedbackCall => ({
	outcome: "accepted",
	feedback: feedback.filter((one) => one !== undefined),
});

const refused = (why: string): FeedbackCall => ({ outcome: "refused", why });

const later = (why: string): FeedbackCall => ({ outcome: "later", why });

export function createFeedbackReaders(
	{ ses, postmark, resend, mailgun }: FeedbackSettings,
	admit: RateLimiter,
): [FeedbackProvider, FeedbackReader | undefined][] {
	return [
		["ses", ses && verifySes(ses, admit)],
		["postmark", postmark && verifyPostmark(postmark)],
		["resend", resend ? verifyResend(resend) : undefined],
		["mailgun", mailgun ? verifyMailgun(mailgun) : undefined],
	];
}

type About = Pick<Feedback, "emailId" | "address" | "at">;

/** Returns undefined for a soft bounce. @param texts may contain a status code */
function hardBounce(about: About, ...texts: string[]): Feedback | undefined {
	// 5.0.0 is "other or undefined" (RFC 3463, 3.1). The provider calls the bounce hard, so it counts as 5.1.1.
	const status = findStatusCode(...texts) || "5.0.0";
	const subject = classifyRefusal(status === "5.0.0" ? "5.1.1" : status, texts.join(" "));
	if (subject === "email") return undefined;
	return { kind: subject === "mailbox" ? "bounce" : "refusal", ...about, status };
}

const complaint = (about: About): Feedback => ({ kind: "complaint", ...about, status: "" });

const emailIdIn = (messageId: string): string | undefined =>
	/^\s*<?([\da-f]{32})@/.exec(messageId)?.[1];

function at(value: unknown, ...path: string[]): unknown {
	return path.reduce<unknown>((found, name) => {
		const isThere = typeof found === "object" && found !== null && Object.hasOwn(found, name);
		return isThere ? (found as Record<string, unknown>)[name] : undefined;
	}, value);
}

function textAt(value: unknown, ...path: string[]): string {
	const found = at(value, ...path);
	return typeof found === "string" || typeof found === "number" ? String(found) : "";
}

function listAt(value: unknown, ...path: string[]): readonly unknown[] {
	const found = at(value, ...path);
	return Array.isArray(found) ? found : [];
}

const SUBSCRIPTION = "Message MessageId SubscribeURL Timestamp Token TopicArn Type".split(" ");
const SIGNED: Readonly<Record<string, string[]>> = {
	Notification: "Message MessageId Subject Timestamp TopicArn Type".split(" "),
	SubscriptionConfirmation: SUBSCRIPTION,
	UnsubscribeConfirmation: SUBSCRIPTION,
};

/** Algorithms by signature version. SNS topics default to version 1. */
const ALGORITHMS: Readonly<Record<string, string>> = { 1: "RSA-SHA1", 2: "RSA-SHA256" };

/** SNS retries for up to an hour, and keeps the time and signature of the first attempt. */
const SNS_WINDOW_MS = 65 * MINUTE_MS;

/**
 * Reads SES notifications and events. Anyone can create an SNS topic, so this accepts only ours. `admit` limits
 * certificate fetches, because certificate URLs are unsigned.
 *
 * https://docs.aws.amazon.com/ses/latest/dg/notification-contents.html
 * https://docs.aws.amazon.com/sns/latest/dg/sns-verify-signature-of-message.html
 */
function verifySes({ arn, host }: SnsTopic, admit: RateLimiter): FeedbackReader {
	const certificates = new Map<string, Promise<X509Certificate>>();

	async function certificateAt(url: string, call: Call): Promise<X509Certificate | FeedbackCall> {
		const name = /^SimpleNotificationService-[\da-zA-Z]{32}\.pem$/;
		const start = `https://${host}/`;
		if (!url.startsWith(start) || !name.test(url.slice(start.length))) {
			return refused("its certificate URL has another host");
		}
		let fetching = certificates.get(url);
		if (!fetching) {
			if (admit(call) > 0) return later("too many certificates were requested");
			fetching = fetchCertificate(url);
			certificates.set(url, fetching);
		}
		try {
			const certificate = await fetching;
			const [from, to] = [Date.parse(certificate.validFrom), Date.parse(certificate.validTo)];
			if (from <= Date.now() && Date.now() <= to) return certificate;
			return refused("its certificate is expired or not yet valid");
		} catch {
			certificates.delete(url);
			return later(`the certificate cannot be fetched from ${host}`);
		}
	}

	return async (call, text, now) => {
		const body = parseJson(text);
		const field = (name: string) => textAt(body, name);
		const type = field("Type");
		if (!Object.hasOwn(SIGNED, type)) {
			return refused("it is not an SNS message: turn off raw message delivery");
		}
		if (field("TopicArn") !== arn) return refused("it is from another topic");
		const algorithm = ALGORITHMS[field("SignatureVersion")];
		if (!algorithm) return refused("its signature has an unknown version");
		const sentAt = Date.parse(field("Timestamp"));
		if (!(Math.abs(now - sentAt) <= SNS_WINDOW_MS)) {
			return refused("it was signed more than an hour ago: check the clock");
		}
		const certificate = await certificateAt(field("SigningCertURL"), call);
		if ("outcome" in certificate) return certificate;
		const signed = SIGNED[type]!.flatMap((name) =>
			name === "Subject" && field(name) === "" ? [] : `${name}\n${field(name)}\n`,
		);
		const signature = Buffer.from(field("Signature"), "base64");
		if (!verify(algorithm, Buffer.from(signed.join("")), certificate.publicKey, signature)) {
			return refused("its signature is wrong");
		}
		if (type === "Notification") {
			return accepted(...readEvent(parseJson(field("Message")), sentAt));
		}
		// Never fetch this URL: a stranger could make our server request any URL of SNS.
		const url = field("SubscribeURL");
		if (!URL.canParse(url) || new URL(url).origin !== `https://${host}`) {
			return refused("its confirmation URL is not from SNS");
		}
		const notice = `Open this URL once to let SNS send SES feedback here: ${url}`;
		return { outcome: "accepted", feedback: [], notice };
	};
}

async function fetchCertificate(url: string): Promise<X509Certificate> {
	const response = await fetch(url, { redirect: "error", signal: AbortSignal.timeout(5000) });
	return new X509Certificate(await response.text());
}

function readEvent(event: unknown, sentAt: number): (Feedback | undefined)[] {
	const aboutOf = (recipient: unknown, reportedAt: string) => ({
		emailId: emailIdIn(messageIdIn(event)),
		address: textAt(recipient, "emailAddress"),
		at: Date.parse(reportedAt) || sentAt,
	});
	const kind = textAt(event, "notificationType") || textAt(event, "eventType");
	if (kind === "Bounce" && textAt(event, "bounce", "bounceType") === "Permanent") {
		return listAt(event, "bounce", "bouncedRecipients").map((recipient) => {
			const texts = [textAt(recipient, "status"), textAt(recipient, "diagnosticCode")];
			return hardBounce(aboutOf(recipient, textAt(event, "bounce", "timestamp")), ...texts);
		});
	}
	if (kind !== "Complaint") return [];
	const type = textAt(event, "complaint", "complaintFeedbackType").trim().toLowerCase();
	// Feedback of these types is not a complaint (RFC 5965, 7.3).
	if (["not-spam", "auth-failure", "virus"].includes(type)) return [];
	return listAt(event, "complaint", "complainedRecipients").map((recipient) =>
		complaint(aboutOf(recipient, textAt(event, "complaint", "timestamp"))),
	);
}

/** Finds our Message-ID among the original headers, because SES replaces it. */
function messageIdIn(event: unknown): string {
	const header = listAt(event, "mail", "headers").find(
		(header) => textAt(header, "name").toLowerCase() === "message-id",
	);
	return textAt(header, "value") || textAt(event, "mail", "commonHeaders", "messageId");
}

/** Mailgun retries for eight hours, and keeps the signature of the first attempt. */
const MAILGUN_WINDOW_MS = 8.5 * HOUR_MS;

/**
 * The signature covers only time and token, not the event. Events must therefore include our Message-ID, which
 * strangers cannot guess.
 *
 * https://documentation.mailgun.com/docs/mailgun/user-manual/webhooks/securing-webhooks
 */
function verifyMailgun(key: string): FeedbackReader {
	return (_call, text, now) => {
		const body = parseJson(text);
		const timestamp = textAt(body, "signature", "timestamp");
		const token = textAt(body, "signature", "token");
		// The HMAC joins time and token without a separator, so their lengths must be fixed.
		if (!/^\d{10}$/.test(timestamp) || !/^\w{50}$/.test(token)) return refused("it is not signed");
		const hmac = createHmac("sha256", key).update(timestamp + token);
		if (!isSameSecret(textAt(body, "signature", "signature"), hmac.digest("hex"))) {
			return refused("it is not signed with the key in WAITLIST_FEEDBACK");
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
		["bounce", "suppress-bounce"].includes(field("reason")) &&
		field("delivery-status", "bounce-type") !== "soft";
	if (!isGone) return undefined;
	const text = field("delivery-status", "message");
	return hardBounce(about, field("delivery-status", "enhanced-code"), text);
}

/**
 * Postmark signs nothing, so feedback must include the email's id from {@link postmarkHeaders}.
 *
 * https://postmarkapp.com/developer/webhooks/bounce-webhook
 */
function verifyPostmark(login: NonNullable<FeedbackSettings["postmark"]>): FeedbackReader {
	return (call, text) => {
		const [, given = ""] = /^Basic +(\S+)$/i.exec(call.header("authorization") ?? "") ?? [];
		if (!isSameSecret(Buffer.from(given, "base64"), `${login.user}:${login.password}`)) {
			return refused("user and password do not match WAITLIST_FEEDBACK");
		}
		return accepted(readPostmark(parseJson(text)));
	};
}

export const postmarkHeaders = (emailId: string) => ({ "X-PM-Metadata-Email": emailId });

function readPostmark(body: unknown): Feedback | undefined {
	const emailId = textAt(body, "Metadata", "Email") || textAt(body, "Metadata", "email");
	const about = {
		// Checks the id: other systems may use this metadata name, and PostgreSQL rejects NUL characters.
		emailId: /^[\da-f]{32}$/.test(emailId) ? emailId : undefined,
		address: "",
		at: Date.parse(textAt(body, "BouncedAt")),
	};
	const type = textAt(body, "RecordType");
	if (type === "SpamComplaint") return complaint(about);
	const isGone = ["HardBounce", "BadEmailAddress"].includes(textAt(body, "Type"));
	return type === "Bounce" && isGone ? hardBounce(about, textAt(body, "Details")) : undefined;
}

/** Timestamp tolerance in the libraries of Standard Webhooks. */
const RESEND_WINDOW_MS = 5 * MINUTE_MS;

/**
 * Resend replaces the Message-ID, so its feedback identifies emails by address.
 *
 * https://resend.com/docs/webhooks/emails/bounced
 */
function verifyResend(secret: string): FeedbackReader {
	const key = Buffer.from(secret, "base64");
	return (call, text, now) => {
		const id = call.header("svix-id") ?? "";
		const timestamp = call.header("svix-timestamp") ?? "";
		// The signature separates these fields by dots, so they must not contain dots.
		if (!/^[\w-]{1,128}$/.test(id) || !/^\d{10}$/.test(timestamp)) {
			return refused("it is not signed");
		}
		const expected = createHmac("sha256", key).update(`${id}.${timestamp}.${text}`).digest();
		const isSigned = (call.header("svix-signature") ?? "").split(" ").some((signature) => {
			const [version, code = ""] = signature.split(",");
			return version === "v1" && isSameSecret(Buffer.from(code, "base64"), expected);
		});
		if (!isSigned) return refused("it is not signed with the secret in WAITLIST_FEEDBACK");
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
