import { InvalidSetting, LEAST_SECRET_CHARACTERS } from "./values.ts";

export type SnsTopic = { arn: string; host: string };

export interface FeedbackSettings {
	ses?: SnsTopic;
	postmark?: { user: string; password: string };
	/** Base64, without `whsec_`. */
	resend?: string;
	mailgun?: string;
}

const PARTITIONS: Record<string, string> = {
	aws: "amazonaws.com",
	"aws-us-gov": "amazonaws.com",
	"aws-cn": "amazonaws.com.cn",
};

const providers: {
	[Name in keyof FeedbackSettings]-?: {
		expected: string;
		parse(text: string): FeedbackSettings[Name];
	};
} = {
	ses: {
		expected: "the ARN of the SNS topic, such as ses:arn:aws:sns:eu-west-1:123456789012:emails",
		parse(arn) {
			const [, partition = "", region] =
				/^arn:([a-z-]+):sns:([a-z]{2}(?:-[a-z]+)+-\d{1,2}):\d{12}:[\w-]{1,256}$/.exec(arn) ?? [];
			if (!Object.hasOwn(PARTITIONS, partition)) return undefined;
			return { arn, host: `sns.${region}.${PARTITIONS[partition]}` };
		},
	},
	postmark: {
		expected:
			"the user:password of Postmark's webhook, with a password of at least " +
			`${LEAST_SECRET_CHARACTERS} characters (use openssl rand -hex 32)`,
		parse(text) {
			const [, user, password = ""] = /^([!-9;-~]+):([!-~]+)$/.exec(text) ?? [];
			return user && password.length >= LEAST_SECRET_CHARACTERS ? { user, password } : undefined;
		},
	},
	resend: {
		expected: "the signing secret of Resend's webhook, which begins with whsec_",
		parse(text) {
			const [, secret = ""] = /^whsec_([\w+/-]+={0,2})$/.exec(text) ?? [];
			// Minimum length of Standard Webhooks 1.0.
			return Buffer.from(secret, "base64").length >= 24 ? secret : undefined;
		},
	},
	mailgun: {
		expected: "Mailgun's HTTP webhook signing key, not the API key",
		parse: (key) =>
			key.length >= LEAST_SECRET_CHARACTERS && /^[!-~]+$/.test(key) ? key : undefined,
	},
};

export function parseFeedback(text: string): FeedbackSettings {
	const feedback: FeedbackSettings = {};
	for (const item of text === "" ? [] : text.split(",").map((item) => item.trim())) {
		const name = item.slice(0, Math.max(0, item.indexOf(":")));
		if (!Object.hasOwn(providers, name)) {
			throw new InvalidSetting(
				"must start with a mail provider: ses:, postmark:, resend: or mailgun:",
			);
		}
		const { expected, parse } = providers[name as keyof FeedbackSettings];
		const value = parse(item.slice(name.length + 1));
		if (value === undefined) throw new InvalidSetting(`must be ${name}: followed by ${expected}`);
		Object.assign(feedback, { [name]: value });
	}
	return feedback;
}
