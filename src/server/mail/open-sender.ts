import type { SharedDatabase } from "../database/database.ts";
import type { Log } from "../log.ts";
import { keepOnce } from "../registrations/wordings.ts";
import type { MailSettings } from "../settings.ts";
import { confirmWording } from "./confirm-wording.ts";
import { isRequested } from "./emails/may-get.ts";
import { postmarkHeaders } from "./feedback/shared-secret.ts";
import { createLinks, type Links } from "./links/links.ts";
import { openOutbox } from "./outbox.ts";
import { type Sender, type SenderSettings, startSender } from "./sender.ts";
import { CONNECTIONS, createSmtp } from "./smtp/smtp.ts";
import { type Making, writeEmail } from "./templates/write-email.ts";

/** Everything needed to send emails. */
export interface SendingSettings extends Pick<SenderSettings, "onAttempt"> {
	mail: MailSettings;
	/** The secret of the key. */
	secret: string;
	/** Makes the code of an invitation. */
	codeOf: Making["codeOf"];
	database: SharedDatabase;
	log: Log;
}

/** Puts the parts together that send emails, and starts to send. */
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
		async deliver(letter) {
			const { id, kind, email: to } = letter;
			const { version, ...written } = writeEmail(letter, making, Date.now());
			const bounces = mail.from.address;
			const headers = mail.feedback.postmark && postmarkHeaders(id);
			const outgoing = {
				id,
				to,
				bounces,
				automatic: isRequested(kind),
				...written,
				...(headers && { headers }),
			};
			return { ...(await smtp.send(outgoing)), version };
		},
		cut: smtp.close,
		connections: CONNECTIONS,
		onAttempt,
		log,
	});
	void sender.ended.finally(smtp.close).catch(() => {});
	return { links, sender };
}
