import { execFile } from "node:child_process";
import { createHmac, createSign, randomBytes, randomUUID } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { Webhook } from "standardwebhooks";
import { findProgram } from "../../../../bench/harness/browsers/find.ts";
import { opensslProgram } from "../../../../bench/harness/nginx.ts";
import { temporaryFolder } from "../../../temporary.ts";

/** A call as a provider makes it. */
export interface Posted {
	headers: Record<string, string>;
	body: string;
}

/** What the operator and the providers share. */
export const secrets = {
	ses: "arn:aws:sns:us-east-1:123456789012:letters",
	postmark: "orbit:0123456789abcdef0123456789abcdef",
	resend: `whsec_${Buffer.alloc(24, "resend").toString("base64")}`,
	mailgun: "fedcba9876543210fedcba9876543210",
};

/** The setting that names these providers. */
export const feedbackOf = (providers: Partial<typeof secrets>) => ({
	WAITLIST_FEEDBACK: Object.entries(providers)
		.map((pair) => pair.join(":"))
		.join(", "),
});

const JSON_TYPE = { "content-type": "application/json" };

/** Postmark signs in. */
export function byPostmark(said: object, login = secrets.postmark): Posted {
	const authorization = `Basic ${Buffer.from(login).toString("base64")}`;
	return { headers: { ...JSON_TYPE, authorization }, body: JSON.stringify(said) };
}

/** Resend signs by the reference code of Standard Webhooks, under the names of Svix. */
export function byResend(
	said: object,
	{ secret = secrets.resend, at = new Date(), id = `msg_${randomUUID()}` } = {},
): Posted {
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

/** Mailgun signs time and token, in the body. */
export function byMailgun(
	said: object,
	{ key = secrets.mailgun, at = new Date(), token = randomBytes(25).toString("hex") } = {},
): Posted {
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
	/** What is altered after the message was signed. */
	altered?: object;
	more?: object;
}

/** SNS, with a certificate of its own. */
export interface Sns {
	certificate: string;
	certificateUrl: string;
	post(said: object | string, options?: SnsOptions): Posted;
}

/** Made once for all files of a worker: an RSA key takes a quarter of a second. */
let made: Promise<{ certificate: string; key: string }> | undefined;

/** A certificate and its key. */
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

/** Makes an SNS, which signs as AWS says: .../sns-verify-signature-of-message.html */
export async function openSns(): Promise<Sns> {
	made ??= makeCertificate();
	const { certificate, key } = await made;
	const name = `SimpleNotificationService-${randomBytes(16).toString("hex")}.pem`;
	const certificateUrl = `https://sns.us-east-1.amazonaws.com/${name}`;
	return {
		certificate,
		certificateUrl,
		post(said, options = {}) {
			const { type = "Notification", version = "2", at = new Date() } = options;
			const isNotification = type === "Notification";
			const message: Record<string, string> = {
				Type: type,
				MessageId: randomUUID(),
				...(!isNotification && { Token: "2336412f37" }),
				TopicArn: options.topic ?? secrets.ses,
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
					"x-amz-sns-topic-arn": secrets.ses,
				},
				body: JSON.stringify({ ...message, ...options.altered }),
			};
		},
	};
}
