import { verify, X509Certificate } from "node:crypto";
import { type Call, parseJson } from "../../http/call.ts";
import type { Admit } from "../../http/limits.ts";
import type { Topic } from "../../settings/feedback.ts";
import { MINUTE_MS } from "../../time.ts";
import {
	accepted,
	complaint,
	emailIdIn,
	type Feedback,
	type FeedbackCall,
	hardBounce,
	later,
	listAt,
	type ReadFeedback,
	refused,
	textAt,
} from "./feedback.ts";

/** Signed fields in their order. */
const SUBSCRIPTION = "Message MessageId SubscribeURL Timestamp Token TopicArn Type".split(" ");
const SIGNED: Readonly<Record<string, string[]>> = {
	Notification: "Message MessageId Subject Timestamp TopicArn Type".split(" "),
	SubscriptionConfirmation: SUBSCRIPTION,
	UnsubscribeConfirmation: SUBSCRIPTION,
};

/** By signature version. Topics default to 1. */
const ALGORITHMS: Readonly<Record<string, string>> = { "1": "RSA-SHA1", "2": "RSA-SHA256" };

/** SNS retries for an hour at most, with the time and signature of the first attempt. */
const WINDOW_MS = 65 * MINUTE_MS;

const CERTIFICATE_MS = 5000;

/**
 * Reads the notifications and events of SES, which come by a topic of SNS. Anyone can have a topic, so it has
 * to be ours. `admit` limits the fetches of certificates, for whose address nobody has signed.
 *
 * https://docs.aws.amazon.com/ses/latest/dg/notification-contents.html
 * https://docs.aws.amazon.com/sns/latest/dg/sns-verify-signature-of-message.html
 */
export function verifySes({ arn, host }: Topic, admit: Admit): ReadFeedback {
	const certificates = new Map<string, Promise<X509Certificate>>();

	async function certificateAt(url: string, call: Call): Promise<X509Certificate | FeedbackCall> {
		const name = /^SimpleNotificationService-[\da-zA-Z]{32}\.pem$/;
		const start = `https://${host}/`;
		if (!url.startsWith(start) || !name.test(url.slice(start.length))) {
			return refused("its certificate is of another host");
		}
		let fetching = certificates.get(url);
		if (!fetching) {
			if (admit(call)) return later("too many certificates are asked for");
			fetching = fetchCertificate(url);
			certificates.set(url, fetching);
		}
		try {
			const certificate = await fetching;
			const now = Date.now();
			const { validFrom, validTo } = certificate;
			if (Date.parse(validFrom) <= now && now <= Date.parse(validTo)) return certificate;
			return refused("its certificate is not valid now");
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
			return refused("it is no message of SNS: turn raw message delivery off");
		}
		if (field("TopicArn") !== arn) return refused("it is of another topic");
		const algorithm = ALGORITHMS[field("SignatureVersion")];
		if (!algorithm) return refused("its signature has an unknown version");
		const sentAt = Date.parse(field("Timestamp"));
		if (!(Math.abs(now - sentAt) <= WINDOW_MS)) {
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
		// Never fetched: strangers could choose a request of our server.
		const url = field("SubscribeURL");
		if (!URL.canParse(url) || new URL(url).origin !== `https://${host}`) {
			return refused("its address to confirm is not of SNS");
		}
		const notice = `Open this address once, so that SNS sends feedback of SES here: ${url}`;
		return { outcome: "accepted", feedback: [], notice };
	};
}

async function fetchCertificate(url: string): Promise<X509Certificate> {
	const signal = AbortSignal.timeout(CERTIFICATE_MS);
	return new X509Certificate(await (await fetch(url, { redirect: "error", signal })).text());
}

/** Complaint types (RFC 5965, 7.3) of people who do want the email. */
const NO_COMPLAINT = ["not-spam", "auth-failure", "virus"];

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
	if (NO_COMPLAINT.includes(type)) return [];
	return listAt(event, "complaint", "complainedRecipients").map((recipient) =>
		complaint(aboutOf(recipient, textAt(event, "complaint", "timestamp"))),
	);
}

/** Our Message-ID, which SES replaces: events include the original headers, notifications by a setting. */
function messageIdIn(event: unknown): string {
	const header = listAt(event, "mail", "headers").find(
		(header) => textAt(header, "name").toLowerCase() === "message-id",
	);
	return textAt(header, "value") || textAt(event, "mail", "commonHeaders", "messageId");
}
