import type { MailSettings } from "../../settings.ts";

/** An email as it goes out. */
export interface OutgoingEmail {
	/** Its id in the outbox, 32 hexadecimal digits: every try has the same Message-ID. */
	id: string;
	/** The person's address as typed. */
	to: string;
	/** The envelope's sender: where bounces go. */
	bounces: string;
	/** Where the person leaves: https, for RFC 8058. */
	unsubscribeUrl: string;
	/** Whether it only answers what the person did (RFC 3834, 5). */
	automatic: boolean;
	/** What the provider gives back in its reports, beside the Message-ID. */
	headers?: Record<string, string>;
	subject: string;
	text: string;
	html: string;
}

/** The Message-ID of an email, at each of its tries. A provider may put its own in its place. */
export const messageIdOf = (id: string, { address }: MailSettings["from"]) =>
	`<${id}@${address.split("@")[1]}>`;

/** A header on one line: some programs read only the first, and nodemailer folds after 76 characters. */
const unfolded = (value: string) => ({ prepared: true, value });

/** @param to see deliverable.ts */
export async function composeMessage(
	email: OutgoingEmail,
	to: string,
	from: MailSettings["from"],
): Promise<Buffer> {
	const { default: MailComposer } = await import("nodemailer/lib/mail-composer");
	const mail = new MailComposer({
		from: { name: from.name, address: from.address },
		to: { name: "", address: to },
		subject: email.subject,
		text: email.text,
		html: email.html,
		headers: {
			"Message-ID": unfolded(messageIdOf(email.id, from)),
			"List-Unsubscribe": unfolded(`<${email.unsubscribeUrl}>`),
			"List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
			...(email.automatic && { "Auto-Submitted": "auto-generated" }),
			...email.headers,
		},
		disableFileAccess: true,
		disableUrlAccess: true,
	});
	return mail.compile().build();
}
