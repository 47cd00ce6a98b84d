import type { SharedDatabase } from "../database/database.ts";
import type { Log } from "../log.ts";
import { keepOnce, type Wording } from "../registrations/wordings.ts";
import type { MailSettings } from "../settings.ts";
import { isRequested } from "./emails/email.ts";
import { postmarkHeaders } from "./feedback/shared-secret.ts";
import { createLinks, type Links } from "./links/links.ts";
import { openOutbox } from "./outbox.ts";
import { type Sender, type SenderSettings, startSender } from "./sender.ts";
import { CONNECTIONS, createSmtp } from "./smtp/smtp.ts";
import { type Making, renderEmail, writeEmail } from "./templates/render-email.ts";

interface SendingSettings extends Pick<SenderSettings, "onAttempt"> {
	mail: MailSettings;
	secret: string;
	codeOf: Making["codeOf"];
	database: SharedDatabase;
	log: Log;
}

/** Starts to send emails. */
export async function openEmails(
	settings: SendingSettings,
): Promise<{ links: Links; sender: Sender }> {
	const { mail, secret, codeOf, database, log, onAttempt } = settings;
	const links = createLinks(secret, mail);
	const making = { links, codeOf };
	const smtp = await createSmtp(mail);
	const { rate, ramp } = mail;
	const keepWords = keepOnce(database, [confirmWording()]);
	const outbox = openOutbox(database, { rate, ramp, keepWords });
	const sender = startSender({
		outbox,
		async deliver(email) {
			const { id, kind, email: to } = email;
			const { version, ...written } = writeEmail(email, making, Date.now());
			const headers = mail.feedback.postmark && { headers: postmarkHeaders(id) };
			const about = {
				id,
				to,
				bounces: mail.from.address,
				automatic: isRequested(kind),
				...headers,
			};
			return { ...(await smtp.send({ ...about, ...written })), version };
		},
		cut: smtp.close,
		connections: CONNECTIONS,
		onAttempt,
		log,
	});
	void sender.ended.finally(smtp.close).catch(() => {});
	return { links, sender };
}

/** The confirmation email, as everybody gets it. */
function confirmWording(): Wording {
	const links = { confirmUrl: "[link to confirm]", unsubscribeUrl: "[link to leave]" };
	const { subject, text, version } = renderEmail("confirm", links);
	return { version, kind: "email", said: `Subject: ${subject}\n\n${text.trimEnd()}`, leadsTo: [] };
}
