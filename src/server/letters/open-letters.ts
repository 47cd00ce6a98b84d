import { createCodes } from "../invitations/code.ts";
import type { Log } from "../log.ts";
import type { MailSettings } from "../settings.ts";
import type { Dialect } from "../waitlist/schema.ts";
import type { Run } from "../waitlist/waitlist.ts";
import { createLinks, type Links } from "./links.ts";
import { openOutbox } from "./outbox.ts";
import { type Sender, type SenderSettings, startSender } from "./sender.ts";
import { CONNECTIONS, createSmtp } from "./smtp.ts";
import { writeLetter } from "./write-letter.ts";

/** What sending letters takes. */
export interface LettersSettings extends Pick<SenderSettings, "once" | "onTried"> {
	mail: MailSettings;
	/** The secret of the erasure key. */
	secret: string;
	/** Runs statements in the waitlist's database. */
	run: Run;
	dialect: Dialect;
	log: Log;
}

/** Puts the parts together that send letters, and starts to send. */
export async function openLetters(
	settings: LettersSettings,
): Promise<{ links: Links; sender: Sender }> {
	const { mail, secret, run, dialect, log, once, onTried } = settings;
	const links = createLinks(secret, mail);
	const making = { links, codes: createCodes(secret) };
	const smtp = await createSmtp(mail);
	const sender = startSender({
		outbox: openOutbox(run, { dialect, rate: mail.rate }),
		async carry(letter) {
			const { id, kind, email: to } = letter;
			const { version, ...written } = writeLetter(letter, making, Date.now());
			const bounces = links.bounceAddress(id);
			const outgoing = { id, to, bounces, automatic: kind === "confirm", ...written };
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
