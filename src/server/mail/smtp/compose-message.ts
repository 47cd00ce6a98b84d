import { canonicalEmail } from "#shared/email.ts";
import type { MailSettings } from "../../settings.ts";
import { asciiDomain } from "../../text/ascii-domain.ts";

export interface OutgoingEmail {
	/** 32 hexadecimal digits, for the Message-ID. */
	id: string;
	to: string;
	bounces: string;
	unsubscribeUrl: string;
	/** Whether it answers a request of the person (RFC 3834, 5). */
	automatic: boolean;
	/** The provider returns them in its feedback. */
	headers?: Record<string, string>;
	subject: string;
	text: string;
	html: string;
}

const messageIdOf = (id: string, { address }: MailSettings["from"]) =>
	`<${id}@${address.split("@")[1]}>`;

/** Some programs read only the first line of a header, and nodemailer folds after 76 characters. */
const unfolded = (value: string) => ({ prepared: true, value });

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

/** A local part that needs no quotes (RFC 5322, 3.2.3; RFC 6532, 3.2). */
const LOCAL_PART = /^[\w.!#$%&'*+/=?^`{|}~\u0080-\u{10ffff}-]+$/u;

export const isAscii = (text: string) => !/[\u0080-\u{10ffff}]/u.test(text);

/**
 * Keeps the local part as typed, because a server may mind its case, and composed (RFC 6532, 3.1). Returns
 * undefined if it needs quotes.
 */
export function deliverable(typed: string): string | undefined {
	const checked = canonicalEmail(typed, asciiDomain);
	if ("error" in checked) return undefined;
	const { email, key } = checked;
	const typedLocal = email.slice(0, email.indexOf("@")).normalize("NFC");
	const at = key.indexOf("@");
	// ſ counts as s, but not to a mail server: typed first, it would take another person's emails.
	const local = isAscii(key.slice(0, at)) && !isAscii(typedLocal) ? key.slice(0, at) : typedLocal;
	return LOCAL_PART.test(local) ? local + key.slice(at) : undefined;
}
