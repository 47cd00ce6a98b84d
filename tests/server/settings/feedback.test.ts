import { describe, expect, it } from "vitest";
import { readSettings } from "../../../src/server/settings.ts";

const mail = {
	SMTP_URL: "smtp://127.0.0.1:25",
	WAITLIST_MAIL_FROM: "hello@orbit.example",
	SITE_ORIGIN: "https://orbit.example",
};
const secret = "0123456789abcdef0123456789abcdef";

const feedbackOf = (WAITLIST_FEEDBACK: string) =>
	readSettings({ ...mail, WAITLIST_FEEDBACK }, "/", "").mail!.feedback;

describe("WAITLIST_FEEDBACK", () => {
	it("names one provider or several", () => {
		expect(feedbackOf(`resend:whsec_${secret}`)).toEqual({ resend: secret });
		expect(feedbackOf(`postmark:orbit:${secret}:x, mailgun:${secret}`)).toEqual({
			postmark: { user: "orbit", password: `${secret}:x` },
			mailgun: secret,
		});
	});

	it.each([
		["arn:aws:sns:eu-west-1:123456789012:emails", "sns.eu-west-1.amazonaws.com"],
		["arn:aws-cn:sns:cn-north-1:123456789012:emails", "sns.cn-north-1.amazonaws.com.cn"],
	])("names the one host of the certificates for %s", (arn, host) => {
		expect(feedbackOf(`ses:${arn}`)).toEqual({ ses: { arn, host } });
	});

	it.each([
		["ses", "arn:aws:sns:evil.example/eu-west-1:123456789012:emails"],
		["ses", "arn:aws:sns:eu-west-1:12345:emails"],
		["ses", "arn:constructor:sns:eu-west-1:123456789012:emails"],
		["postmark", "orbit:short-secret"],
		["postmark", `${secret}-secret`],
		["resend", `${secret}-secret`],
		["mailgun", "secret"],
	])("refuses an unusable value for %s without repeating it", (provider, value) => {
		const wrong = () => feedbackOf(`${provider}:${value}`);
		expect(wrong).toThrow(new RegExp(`^WAITLIST_FEEDBACK must be ${provider}: and [^\\n]+\\.$`));
		expect(wrong).not.toThrow(value);
	});

	it.each([secret, "constructor:x"])(
		"refuses a value that begins with no provider: %s",
		(value) => {
			expect(() => feedbackOf(value)).toThrow("ses:, postmark:, resend: or mailgun:");
		},
	);
});
