import { describe, expect, it } from "vitest";
import { readSettings } from "../../../src/server/settings.ts";

const letters = {
	SMTP_URL: "smtp://127.0.0.1:25",
	WAITLIST_MAIL_FROM: "hello@orbit.example",
	SITE_ORIGIN: "https://orbit.example",
};
const secret = "0123456789abcdef0123456789abcdef";

const reportsOf = (environment: Record<string, string>) =>
	readSettings({ ...letters, ...environment }, "/", "").mail!.reports;

describe("settings of reports", () => {
	it("say who may report", () => {
		expect(
			reportsOf({
				WAITLIST_REPORTS_POSTMARK: `orbit:${secret}:x`,
				WAITLIST_REPORTS_RESEND: `whsec_${secret}`,
				WAITLIST_REPORTS_MAILGUN: secret,
			}),
		).toEqual({
			ses: undefined,
			postmark: { user: "orbit", password: `${secret}:x` },
			resend: secret,
			mailgun: secret,
		});
	});

	it.each([
		["arn:aws:sns:eu-west-1:123456789012:letters", "sns.eu-west-1.amazonaws.com"],
		["arn:aws-cn:sns:cn-north-1:123456789012:letters", "sns.cn-north-1.amazonaws.com.cn"],
	])("name the one host of the certificates for %s", (arn, host) => {
		expect(reportsOf({ WAITLIST_REPORTS_SES: arn }).ses).toEqual({ arn, host });
	});

	it.each([
		["arn:aws:sns:evil.example/eu-west-1:123456789012:letters"],
		["arn:aws:sns:eu-west-1:12345:letters"],
		["arn:constructor:sns:eu-west-1:123456789012:letters"],
		["arn:aws:sns:eu-west-1:123456789012:letters:6b0e71bd-7e97-4d97-80ce-4a0994e55286"],
	])("refuse %s as a topic", (arn) => {
		expect(() => reportsOf({ WAITLIST_REPORTS_SES: arn })).toThrow(
			"WAITLIST_REPORTS_SES must be the ARN of the SNS topic to which SES reports, as in " +
				`arn:aws:sns:eu-west-1:123456789012:letters, but it is "${arn}".`,
		);
	});

	it.each([
		["POSTMARK", "orbit:short-secret"],
		["POSTMARK", `${secret}-secret`],
		["RESEND", `${secret}-secret`],
		["MAILGUN", "secret"],
	])("refuse an unusable secret of %s without repeating it", (name, value) => {
		const setting = `WAITLIST_REPORTS_${name}`;
		const wrong = () => reportsOf({ [setting]: value });
		expect(wrong).toThrow(new RegExp(`^${setting} must be [^\\n]+\\.$`));
		expect(wrong).not.toThrow(value);
	});

	it("have no effect without letters, which is said", () => {
		expect(() => readSettings({ WAITLIST_REPORTS_MAILGUN: secret }, "/", "")).toThrow(
			"WAITLIST_REPORTS_MAILGUN has no effect without SMTP_URL: set both, or neither.",
		);
	});
});
