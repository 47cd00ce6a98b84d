import type { SharedDatabase } from "../../database/database.ts";
import type { Log } from "../../log.ts";
import type { MailSettings } from "../../settings.ts";
import { createLinks, type Links } from "../links/links.ts";
import { isRequested } from "../reachable.ts";
import { postmarkHeaders } from "../reports/postmark.ts";
import { CONNECTIONS, createSmtp } from "../smtp/smtp.ts";
import { type Making, writeLetter } from "../writing/write-letter.ts";
import { keepWords } from "./keep-words.ts";
import { limitByMailbox } from "./mailbox.ts";
import { openOutbox } from "./outbox.ts";
import { type Sender, type SenderSettings, startSender } from "./sender.ts";

/** What sending letters takes. */
export interface LettersSettings extends Pick<SenderSettings, "once" | "onTried"> {
	mail: MailSettings;
	/** The secret of the erasure key. */
	secret: string;
	/** Makes the code of an invitation. */
	codeOf: Making["codeOf"];
	database: SharedDatabase;
	log: Log;
}

/** Puts the parts together that send letters, and starts to send. */
export async function openLetters(
	settings: LettersSettings,
): Promise<{ links: Links; sender: Sender }> {
	const { mail, secret, codeOf, database, log, once, onTried } = settings;
	const links = createLinks(secret, mail);
	const making = { links, codeOf };
	const smtp = await createSmtp(mail);
	const { rate, ramp } = mail;
	const outbox = openOutbox(database, { rate, ramp });
	const sender = startSender({
		outbox: limitByMailbox(keepWords(outbox, database), database, { secret }),
		async carry(letter) {
			const { id, kind, email: to } = letter;
			const { version, ...written } = writeLetter(letter, making, Date.now());
			const bounces = links.bounceAddress(id);
			const headers = mail.reports.postmark && postmarkHeaders(id);
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
		once,
		onTried,
		log,
	});
	void sender.ended.finally(smtp.close).catch(() => {});
	return { links, sender };
}
