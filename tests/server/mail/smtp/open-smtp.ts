import { onTestFinished } from "vitest";
import { createSmtpClient, type OutgoingEmail } from "../../../../src/server/mail/smtp/smtp.ts";
import { readSettings } from "../../../../src/server/settings.ts";

export const LONG_TIMEOUTS = { connectMs: 30_000, tryMs: 30_000 };

export const EMAIL_ID = "0123456789abcdef0123456789abcdef";

export const sampleEmail: OutgoingEmail = {
	id: EMAIL_ID,
	to: "Ada@Example.com",
	unsubscribeUrl: "https://orbit.example/unsubscribe/token",
	automatic: true,
	subject: "Is this your address?",
	text: "Please confirm.",
	html: "<p>Please confirm.</p>",
};

export async function openSmtpSender(url: string, environment = {}, limits = LONG_TIMEOUTS) {
	const { mail } = readSettings(
		{
			SMTP_URL: url,
			WAITLIST_MAIL_FROM: "Orbit <hello@orbit.example>",
			SITE_ORIGIN: "https://orbit.example",
			...environment,
		},
		"/",
		"",
	);
	const smtp = await createSmtpClient(mail!, limits);
	onTestFinished(() => smtp.close());
	return smtp;
}
