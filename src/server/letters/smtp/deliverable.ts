import { canonicalEmail } from "#shared/email.ts";
import { asciiDomain } from "../../ascii-domain.ts";

/** Letters, digits and signs of a local part that needs no quotes (RFC 5322, 3.2.3; RFC 6532, 3.2). */
const LOCAL_PART = /^[\w.!#$%&'*+/=?^`{|}~\u0080-\u{10ffff}-]+$/u;

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
	const local = email.slice(0, email.indexOf("@")).normalize("NFC");
	return LOCAL_PART.test(local) ? local + key.slice(key.indexOf("@")) : undefined;
}
