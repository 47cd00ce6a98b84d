import type { Log } from "../log.ts";
import type { MailSettings } from "../settings.ts";
import type { Dialect } from "../waitlist/schema.ts";
import type { Run } from "../waitlist/waitlist.ts";
import type { TakenLetter } from "./letter.ts";
import { createLinks, type Links } from "./links.ts";
import { openOutbox } from "./outbox.ts";
import { renderLetter } from "./render-letter.ts";
import { type Sender, type SenderSettings, startSender } from "./sender.ts";
import { CONNECTIONS, createSmtp, type OutgoingLetter } from "./smtp.ts";

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
	const smtp = await createSmtp(mail);
	const sender = startSender({
		outbox: openOutbox(run, { dialect, rate: mail.rate }),
		async carry(letter) {
			const { version, ...outgoing } = writeLetter(letter, links);
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

/** Writes a letter for its person. Links to confirm begin their days now. */
function writeLetter(
	{ id, kind, email, recipient }: TakenLetter,
	links: Links,
): OutgoingLetter & { version: string } {
	const leaveUrl = links.leaveUrl(recipient);
	const confirmUrl = links.confirmUrl(recipient, Date.now());
	return {
		id,
		to: email,
		bounces: links.bounceAddress(id),
		leaveUrl,
		automatic: true,
		...renderLetter(kind, { confirmUrl, leaveUrl }),
	};
}
