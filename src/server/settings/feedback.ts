import { LEAST_SECRET_CHARACTERS } from "./secrets.ts";
import { Unusable } from "./unusable.ts";

/** How providers prove that a bounce or complaint is theirs. Feedback of others is refused. */
export interface FeedbackSettings {
	/** The topic to which SES publishes. */
	ses?: Topic;
	/** What Postmark signs in with. */
	postmark?: { user: string; password: string };
	/** The secret by which Resend signs, without `whsec_`: base64. */
	resend?: string;
	/** The key by which Mailgun signs. */
	mailgun?: string;
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

/** The least length of a secret by the specification: github.com/standard-webhooks. */
const LEAST_RESEND_BYTES = 24;

/** The parser of each provider's value, which returns undefined for unusable text. */
const parsers: { [Name in keyof FeedbackSettings]-?: (text: string) => FeedbackSettings[Name] } = {
	ses(arn) {
		const [, partition = "", region] =
			/^arn:([a-z-]+):sns:([a-z]{2}(?:-[a-z]+)+-\d{1,2}):\d{12}:[\w-]{1,256}$/.exec(arn) ?? [];
		if (!Object.hasOwn(PARTITIONS, partition)) return undefined;
		return { arn, host: `sns.${region}.${PARTITIONS[partition]}` };
	},
	postmark(text) {
		const [, user, password = ""] = /^([!-9;-~]+):([!-~]+)$/.exec(text) ?? [];
		return user && password.length >= LEAST_SECRET_CHARACTERS ? { user, password } : undefined;
	},
	resend(text) {
		const [, secret = ""] = /^whsec_([\w+/-]+={0,2})$/.exec(text) ?? [];
		return Buffer.from(secret, "base64").length >= LEAST_RESEND_BYTES ? secret : undefined;
	},
	mailgun: (key) =>
		key.length >= LEAST_SECRET_CHARACTERS && /^[!-~]+$/.test(key) ? key : undefined,
};

/** What each provider's value must be, for the message, which repeats no value: most are secrets. */
const expected: Record<keyof FeedbackSettings, string> = {
	ses: "ses: and the ARN of the SNS topic, as in ses:arn:aws:sns:eu-west-1:123456789012:emails",
	postmark:
		"postmark: and the user:password of Postmark's webhook, the password of at least " +
		`${LEAST_SECRET_CHARACTERS} characters, as openssl rand -hex 32 makes one`,
	resend: "resend: and the signing secret of Resend's webhook, which begins with whsec_",
	mailgun: "mailgun: and Mailgun's HTTP webhook signing key, which is not the API key",
};

const isProvider = (name: string): name is keyof FeedbackSettings => Object.hasOwn(expected, name);

/** Parses WAITLIST_FEEDBACK: `resend:whsec_…`, or several with commas between them. */
export function parseFeedback(text: string): FeedbackSettings {
	const feedback: FeedbackSettings = {};
	for (const item of text === "" ? [] : text.split(",").map((item) => item.trim())) {
		const colon = item.indexOf(":");
		const name = item.slice(0, Math.max(0, colon));
		if (!isProvider(name)) {
			throw new Unusable(
				"must begin with the name of the mail provider and a colon: ses:, postmark:, resend: or mailgun:",
			);
		}
		const value = parsers[name](item.slice(colon + 1));
		if (value === undefined) throw new Unusable(`must be ${expected[name]}`);
		Object.assign(feedback, { [name]: value });
	}
	return feedback;
}
