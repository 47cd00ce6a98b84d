import {
	type KeptLetter,
	type MailServer,
	readLetter,
} from "../../../bench/harness/mail-server.ts";

/** Settings of a server that writes to people by a mail server. */
export const lettersBy = ({ url }: MailServer): Record<string, string> => ({
	SITE_ORIGIN: "https://orbit.example",
	SMTP_URL: url,
	WAITLIST_MAIL_FROM: "hello@orbit.example",
	WAITLIST_MAIL_RATE: "0",
});

/** The path of the link by which the person of an email leaves. */
export async function linkToLeave(letter: KeptLetter): Promise<string> {
	const { text = "" } = await readLetter(letter);
	return /https:\/\/orbit\.example(\/leave\/\S+)/.exec(text)![1]!;
}
