import { canonicalEmail } from "#shared/email.ts";
import { asciiDomain } from "../../text/ascii-domain.ts";

/** Emails, digits and signs of a local part that needs no quotes (RFC 5322, 3.2.3; RFC 6532, 3.2). */
const LOCAL_PART = /^[\w.!#$%&'*+/=?^`{|}~\u0080-\u{10ffff}-]+$/u;

/** Whether a mail server needs SMTPUTF8 for none of it. */
export const isAscii = (text: string) => !/[\u0080-\u{10ffff}]/u.test(text);

/**
 * The address to write to: the local part as typed, because a server may mind its case, composed
 * (RFC 6532, 3.1), and the domain in the ASCII spelling that every server understands.
 *
 * @returns undefined where a mail server would need quotes to read it
 */
export function deliverable(typed: string): string | undefined {
	const checked = canonicalEmail(typed, asciiDomain);
	if ("error" in checked) return undefined;
	const { email, key } = checked;
	const typedLocal = email.slice(0, email.indexOf("@")).normalize("NFC");
	const at = key.indexOf("@");
	// ſ counts as s, but is no s to a mail server: whoever types it first would else have the emails
	// of another person sent to nobody.
	const local = isAscii(key.slice(0, at)) && !isAscii(typedLocal) ? key.slice(0, at) : typedLocal;
	return LOCAL_PART.test(local) ? local + key.slice(at) : undefined;
}
