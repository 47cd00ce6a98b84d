import { execFile } from "node:child_process";
import { createHmac, createSign, randomBytes, randomUUID } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { Webhook } from "standardwebhooks";
import { findProgram } from "../../../../bench/harness/browsers/find.ts";
import { opensslProgram } from "../../../documented-nginx.ts";
import { temporaryFolder } from "../../../temporary.ts";

export interface FeedbackCall {
	headers: Record<string, string>;
	body: string;
}

export const providerSecrets = {
	ses: "arn:aws:sns:us-east-1:123456789012:letters",
	postmark: "orbit:0123456789abcdef0123456789abcdef",
	resend: `whsec_${Buffer.alloc(24, "resend").toString("base64")}`,
	mailgun: "fedcba9876543210fedcba9876543210",
};

export const feedbackSettings = (providers: Partial<typeof providerSecrets>) => ({
	WAITLIST_FEEDBACK: Object.entries(providers)
		.map((pair) => pair.join(":"))
		.join(", "),
});

const JSON_TYPE = { "content-type": "application/json" };

export function postmarkCall(said: object, login = providerSecrets.postmark): FeedbackCall {
	const authorization = `Basic ${Buffer.from(login).toString("base64")}`;
	return { headers: { ...JSON_TYPE, authorization }, body: JSON.stringify(said) };
}

/** Resend signs with Standard Webhooks, but with Svix's header names. */
export function resendCall(
	said: object,
	{ secret = providerSecrets.resend, at = new Date(), id = `msg_${randomUUID()}` } = {},
): FeedbackCall {
	const body = JSON.stringify(said);
	return {
		headers: {
			...JSON_TYPE,
			"svix-id": id,
			"svix-timestamp": `${Math.floor(at.getTime() / 1000)}`,
			"svix-signature": `v1,AAAA ${new Webhook(secret).sign(id, at, body)} v1a,BBBB`,
		},
		body,
	};
}

/** Mailgun signs the time and a token in the body. */
export function mailgunCall(
	said: object,
	{ key = providerSecrets.mailgun, at = new Date(), token = randomBytes(25).toString("hex") } = {},
): FeedbackCall {
	const timestamp = `${Math.floor(at.getTime() / 1000)}`;
	const signature = createHmac("sha256", key)
		.update(timestamp + token)
		.digest("hex");
	const body = { signature: { timestamp, token, signature }, "event-data": said };
	return { headers: JSON_TYPE, body: JSON.stringify(body) };
}

interface SnsOptions {
	type?: "Notification" | "SubscriptionConfirmation" | "UnsubscribeConfirmation";
	topic?: string;
	at?: Date;
	version?: "1" | "2";
	url?: string;
	altered?: object;
	more?: object;
}

/** Shared by a worker's tests, because creating an RSA key takes 0.25 s. */
let made: Promise<{ certificate: string; key: string }> | undefined;

async function makeCertificate() {
	const folder = await temporaryFolder();
	const [certificateFile, keyFile] = [join(folder, "certificate.pem"), join(folder, "key.pem")];
	await promisify(execFile)(await findProgram(opensslProgram), [
		...["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-subj", "/CN=sns.amazonaws.com"],
		...["-days", "2", "-keyout", keyFile, "-out", certificateFile],
	]);
	return {
		certificate: await readFile(certificateFile, "utf8"),
		key: await readFile(keyFile, "utf8"),
	};
}

/**
 * Signs like SNS: https://docs.aws.amazon.com/sns/latest/dg/sns-verify-signature-of-message.html
 */
export async function openFakeSns() {
	made ??= makeCertificate();
	const { certificate, key } = await made;
	const name = `SimpleNotificationService-${randomBytes(16).toString("hex")}.pem`;
	const certificateUrl = `https://sns.us-east-1.amazonaws.com/${name}`;
	return {
		certificate,
		certificateUrl,
		post(said: object | string, options: SnsOptions = {}): FeedbackCall {
			const { type = "Notification", version = "2", at = new Date() } = options;
			const isNotification = type === "Notification";
			const message: Record<string, string> = {
				Type: type,
				MessageId: randomUUID(),
				...(!isNotification && { Token: "2336412f37" }),
				TopicArn: options.topic ?? providerSecrets.ses,
				Message: typeof said === "string" ? said : JSON.stringify(said),
				...(!isNotification && {
					SubscribeURL:
						options.url ??
						"https://sns.us-east-1.amazonaws.com/?Action=ConfirmSubscription&Token=2336412f37",
				}),
				Timestamp: at.toISOString(),
				SignatureVersion: version,
				SigningCertURL: certificateUrl,
				...(isNotification && {
					UnsubscribeURL: "https://sns.us-east-1.amazonaws.com/?Action=Unsubscribe",
				}),
				...options.more,
			};
			const names = isNotification
				? ["Message", "MessageId", "Subject", "Timestamp", "TopicArn", "Type"]
				: ["Message", "MessageId", "SubscribeURL", "Timestamp", "Token", "TopicArn", "Type"];
			const signed = names
				.filter((name) => name in message)
				.map((name) => `${name}\n${message[name]}\n`)
				.join("");
			message.Signature = createSign(version === "1" ? "RSA-SHA1" : "RSA-SHA256")
				.update(signed)
				.sign(key, "base64");
			return {
				headers: {
					"content-type": "text/plain; charset=UTF-8",
					"x-amz-sns-message-type": type,
					"x-amz-sns-topic-arn": providerSecrets.ses,
				},
				body: JSON.stringify({ ...message, ...options.altered }),
			};
		},
	};
}

/* The providers' documented samples, without fields that the server ignores. */

export interface FeedbackFacts {
	email: string;
	/** The email's id, if the provider returns it. */
	emailId?: string;
	/** ISO 8601. */
	at?: string;
}

const NOW = () => new Date().toISOString();

/** https://docs.aws.amazon.com/ses/latest/dg/notification-examples.html */
function sesMail({ email, emailId, at = NOW() }: FeedbackFacts) {
	const own = emailId && `<${emailId}@orbit.example>`;
	return {
		timestamp: at,
		messageId: "00000138111222aa-33322211-cccc-cccc-cccc-ddddaaaa0680-000000",
		...(own && {
			headers: [
				{ name: "To", value: email },
				{ name: "Message-ID", value: own },
			],
			commonHeaders: { to: [email], messageId: own },
		}),
	};
}

interface SesBounce extends FeedbackFacts {
	type?: string;
	status?: string;
	/** Field with the type. Events of a configuration set use `eventType`. */
	kind?: "notificationType" | "eventType";
}

const sesBounce = (about: FeedbackFacts, type: string, recipient: object) => ({
	bounce: {
		bounceType: type,
		bouncedRecipients: [{ emailAddress: about.email, ...recipient }],
		timestamp: about.at ?? NOW(),
	},
	mail: sesMail(about),
});

export const sesSamples = {
	bounce: ({
		kind = "notificationType",
		status = "5.1.1",
		type = "Permanent",
		...about
	}: SesBounce) => ({
		[kind]: "Bounce",
		...sesBounce(about, type, {
			status,
			diagnosticCode: `smtp; 550 ${status} <${about.email}>... User`,
		}),
	}),
	/** A bounce without status or diagnostic code, because the receiver sent no report. */
	bareBounce: (about: FeedbackFacts) => ({
		notificationType: "Bounce",
		...sesBounce(about, "Permanent", {}),
	}),
	complaint: (about: FeedbackFacts, type: string | null = "abuse") => ({
		notificationType: "Complaint",
		complaint: {
			complainedRecipients: [{ emailAddress: about.email }],
			complaintFeedbackType: type,
			timestamp: about.at ?? NOW(),
		},
		mail: sesMail(about),
	}),
	delivery: (about: FeedbackFacts) => ({
		notificationType: "Delivery",
		delivery: { timestamp: about.at ?? NOW(), recipients: [about.email] },
		mail: sesMail(about),
	}),
};

/** https://postmarkapp.com/developer/webhooks/bounce-webhook, …/spam-complaint-webhook */
const postmarkBounce = (
	{ email, emailId, at = NOW() }: FeedbackFacts,
	type: string,
	details: string,
) => ({
	RecordType: "Bounce",
	Type: type,
	MessageID: "883953f4-6105-42a2-a16a-77a8eac79483",
	Metadata: emailId ? { Email: emailId } : {},
	Details: details,
	Email: email,
	BouncedAt: at.replace("Z", "0259Z"),
});

export const postmarkSamples = {
	bounce: (about: FeedbackFacts) =>
		postmarkBounce(about, "HardBounce", "smtp;550 5.1.1 The account does not exist."),
	bare: (about: FeedbackFacts) => postmarkBounce(about, "BadEmailAddress", ""),
	blocklisted: (about: FeedbackFacts) =>
		postmarkBounce(
			about,
			"HardBounce",
			"smtp;550 5.1.3 Client host blocked using zen.spamhaus.org",
		),
	soft: (about: FeedbackFacts) => postmarkBounce(about, "SoftBounce", "smtp;452 4.2.2 full"),
	complaint: (about: FeedbackFacts) => ({
		...postmarkBounce(about, "SpamComplaint", "Test spam complaint details"),
		RecordType: "SpamComplaint",
	}),
	delivery: ({ email, at = NOW() }: FeedbackFacts) => ({
		RecordType: "Delivery",
		Recipient: email,
		DeliveredAt: at,
	}),
};

/** https://resend.com/docs/webhooks/emails/bounced, …/complained */
const resendEvent = (type: string, { email, at = NOW() }: FeedbackFacts, more: object = {}) => ({
	type,
	created_at: at,
	data: {
		message_id: "<010201a03a656355-b60157fb-b56c-4bc7-9496-000000@eu-west-1.amazonses.com>",
		to: [email],
		...more,
	},
});

export const resendSamples = {
	bounce: (about: FeedbackFacts) =>
		resendEvent("email.bounced", about, {
			bounce: {
				message: "The recipient's email address is on the suppression list.",
				type: "Permanent",
			},
		}),
	soft: (about: FeedbackFacts) =>
		resendEvent("email.bounced", about, {
			bounce: { message: "The mailbox is full.", type: "Transient" },
		}),
	complaint: (about: FeedbackFacts) => resendEvent("email.complained", about),
	delivery: (about: FeedbackFacts) => resendEvent("email.delivered", about),
};

/** https://documentation.mailgun.com/docs/mailgun/user-manual/webhooks/webhook-payloads */
const mailgunEvent = (
	event: string,
	{ email, emailId, at = NOW() }: FeedbackFacts,
	more: object = {},
) => ({
	event,
	timestamp: Date.parse(at) / 1000,
	message: {
		headers: {
			"message-id": emailId
				? `${emailId}@orbit.example`
				: "20260212180106.5c8f35804ae3fd54@orbit.example",
			to: email,
		},
	},
	recipient: email,
	...more,
});

const mailgunFailure = (about: FeedbackFacts, reason: string, code: string, type = "hard") =>
	mailgunEvent("failed", about, {
		reason,
		severity: "permanent",
		"delivery-status": {
			code: 550,
			message: `${code} Requested action not taken: mailbox unavailable`,
			"enhanced-code": code,
			"bounce-type": type,
		},
	});

export const mailgunSamples = {
	bounce: (about: FeedbackFacts) => mailgunFailure(about, "bounce", "5.1.1"),
	suppressed: (about: FeedbackFacts) =>
		mailgunEvent("failed", about, {
			reason: "suppress-bounce",
			severity: "permanent",
			"delivery-status": { code: 605, message: "" },
		}),
	blocked: (about: FeedbackFacts) => mailgunFailure(about, "bounce", "5.7.1"),
	soft: (about: FeedbackFacts) =>
		mailgunEvent("failed", about, {
			reason: "generic",
			severity: "temporary",
			"delivery-status": { code: 452, "enhanced-code": "4.2.2", message: "4.2.2 over quota" },
		}),
	complaint: (about: FeedbackFacts) => mailgunEvent("complained", about, { "log-level": "warn" }),
	delivery: (about: FeedbackFacts) => mailgunEvent("delivered", about),
};
