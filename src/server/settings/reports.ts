import { LEAST_SECRET_CHARACTERS } from "./secrets.ts";
import { Unusable } from "./unusable.ts";

/** How providers prove that a report is theirs. Reports of a provider without it are refused. */
export interface ReportSettings {
	/** The topic by which SES reports. */
	ses: Topic | undefined;
	/** What Postmark signs in with. */
	postmark: { user: string; password: string } | undefined;
	/** The secret by which Resend signs, without `whsec_`: base64. */
	resend: string | undefined;
	/** The key by which Mailgun signs. */
	mailgun: string | undefined;
}

/** A topic of Amazon's SNS. */
export interface Topic {
	arn: string;
	/** The only host that has the certificates by which it signs. */
	host: string;
}

/** Where each part of AWS has its services. */
const PARTITIONS: Record<string, string> = {
	aws: "amazonaws.com",
	"aws-us-gov": "amazonaws.com",
	"aws-cn": "amazonaws.com.cn",
};

/**
 * Reads WAITLIST_REPORTS_SES.
 *
 * @throws Unusable
 */
export function parseTopic(text: string): Topic | undefined {
	if (text === "") return undefined;
	const [, partition = "", region] =
		/^arn:([a-z-]+):sns:([a-z]{2}(?:-[a-z]+)+-\d{1,2}):\d{12}:[\w-]{1,256}$/.exec(text) ?? [];
	if (Object.hasOwn(PARTITIONS, partition)) {
		return { arn: text, host: `sns.${region}.${PARTITIONS[partition]}` };
	}
	throw new Unusable(
		"must be the ARN of the SNS topic to which SES reports, as in " +
			`arn:aws:sns:eu-west-1:123456789012:letters, but it is ${JSON.stringify(text)}`,
	);
}

/**
 * Reads WAITLIST_REPORTS_POSTMARK. The message does not repeat the value: it holds a password.
 *
 * @throws Unusable
 */
export function parsePostmark(text: string): ReportSettings["postmark"] {
	if (text === "") return undefined;
	const [, user, password = ""] = /^([!-9;-~]+):([!-~]+)$/.exec(text) ?? [];
	if (user && password.length >= LEAST_SECRET_CHARACTERS) return { user, password };
	throw new Unusable(
		"must be a user and a password with a colon between them, as Postmark's webhook has them, " +
			`without spaces, the password with at least ${LEAST_SECRET_CHARACTERS} characters, as ` +
			"openssl rand -hex 32 makes one",
	);
}

/** The least length of a secret by the specification: github.com/standard-webhooks. */
const LEAST_RESEND_BYTES = 24;

/**
 * Reads WAITLIST_REPORTS_RESEND. The message does not repeat the value.
 *
 * @throws Unusable
 */
export function parseResend(text: string): string | undefined {
	if (text === "") return undefined;
	const [, secret = ""] = /^whsec_([\w+/-]+={0,2})$/.exec(text) ?? [];
	if (Buffer.from(secret, "base64").length >= LEAST_RESEND_BYTES) return secret;
	throw new Unusable("must be the signing secret of Resend's webhook, which begins with whsec_");
}

/** Mailgun's keys have at least so many characters. */
const LEAST_MAILGUN_CHARACTERS = 32;

/**
 * Reads WAITLIST_REPORTS_MAILGUN. The message does not repeat the value.
 *
 * @throws Unusable
 */
export function parseMailgun(text: string): string | undefined {
	if (text === "") return undefined;
	if (text.length >= LEAST_MAILGUN_CHARACTERS && /^[!-~]+$/.test(text)) return text;
	throw new Unusable(
		"must be Mailgun's HTTP webhook signing key, of at least " +
			`${LEAST_MAILGUN_CHARACTERS} characters: it is not the API key`,
	);
}
