/**
 * The only validation of email addresses, for form and server.
 *
 * All functions run in linear time. The textbook pattern `/\S+@\S+\.\S+/` does not: 4,000 at signs keep it busy
 * for 90 seconds.
 */
import { words } from "#words";

/** RFC 5321, 4.5.3.1.3: 256 with angle brackets. */
export const EMAIL_MAX_LENGTH = 254;

/** In octets of UTF-8 (RFC 5321, 4.5.3.1.1; RFC 6531, 3.3). */
export const LOCAL_PART_MAX_OCTETS = 64;

/** A host label: letters, digits and inner hyphens, 63 at most (RFC 1123, 2.1; RFC 1035, 2.3.4). */
const LABEL = /^[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?$/;

/** People may type decomposed characters, which have up to four code units (U+1F82). */
const TYPED_MAX_LENGTH = 4 * EMAIL_MAX_LENGTH;

/**
 * Characters that are not text or look ambiguous, such as controls, invisible characters and a Braille blank.
 *
 * Code points that Node's Unicode version does not assign (Cn) are rejected: a later version could give them a
 * lower case, which would change the keys of stored addresses.
 */
export const FORBIDDEN_IN_ADDRESS =
	/[\s\p{Cc}\p{Cn}\p{Co}\p{Cs}\p{Default_Ignorable_Code_Point}\u2800\uFFF9-\uFFFD\u{13441}\u{13442}\u{1D159}]/u;

/** Combining mark without a letter before it: it would be drawn on top of the dot or at sign. */
const LEADING_MARK = /(?:^|[.@])\p{M}/u;

/** Only valid in quotes or comments (RFC 5322, 3.2.3). Rejected: `"ada"@b.c` is another spelling of `ada@b.c`. */
const NEEDS_QUOTES = /[()<>[\]:;,\\"]/;

/** Fast path for most addresses: already composed, no invisible characters. */
const PRINTABLE_ASCII = /^[ -~]*$/;

const PLAIN_DOMAIN = /^(?:[a-z\d-]+\.)+[a-z][a-z\d-]*$/i;
const PUNYCODE = /(?:^|\.)xn--/i;

/** A URL parser would end the host at these characters. */
const URL_SYNTAX = /[#%/:?@[\\\]]/;

export type EmailCheck = { email: string } | { error: string };

export type CanonicalEmail = { email: string; key: string } | { error: string };

/** Checks only that the address looks like `x@y.z` and has no white space. */
export function checkEmail(text: string): EmailCheck {
	const email = text.trim();
	if (email === "") return { error: words.messages.emailMissing };
	const at = email.indexOf("@", 1);
	const dot = at < 0 ? -1 : email.indexOf(".", at + 2);
	if (dot < 0 || dot === email.length - 1 || /\s/.test(email))
		return { error: words.messages.emailInvalid };
	return { email };
}

/**
 * Normalizes an address so that each person has one registration: trimmed, composed (NFC), case-folded, with
 * the domain in ASCII. Some providers give plus tags and dots their own mailbox, so these stay.
 *
 * @param toAscii IDNA ToASCII for a domain, or `""` on failure. Browsers lack it, so only the server calls this.
 */
export function canonicalizeEmail(
	text: string,
	toAscii: (domain: string) => string,
): CanonicalEmail {
	const trimmed = text.trim();
	if (trimmed.length > TYPED_MAX_LENGTH) return { error: words.messages.emailTooLong };
	const checked = checkEmail(trimmed);
	if ("error" in checked) return checked;
	const { email } = checked;
	const at = email.indexOf("@");
	if (at < 1 || at !== email.lastIndexOf("@") || isUnclear(email)) {
		return { error: words.messages.emailInvalid };
	}

	// Lower-casing can decompose: İ becomes i and a dot above.
	const local = compose(fold(compose(email.slice(0, at)).toLowerCase()));
	if (NEEDS_QUOTES.test(local)) return { error: words.messages.emailInvalid };
	const typedDomain = compose(email.slice(at + 1));
	if (URL_SYNTAX.test(typedDomain)) return { error: words.messages.emailInvalid };
	const domain = isPlainDomain(typedDomain)
		? typedDomain.toLowerCase()
		: toAscii(typedDomain).toLowerCase().replace(/\.$/, "");

	const key = `${local}@${domain}`;
	if (key.length > EMAIL_MAX_LENGTH || octetsIn(local) > LOCAL_PART_MAX_OCTETS) {
		return { error: words.messages.emailTooLong };
	}
	return isMailDomain(domain) ? { email, key } : { error: words.messages.emailInvalid };
}

/** Fast path for most domains, which are already ASCII. */
function isPlainDomain(domain: string): boolean {
	return PLAIN_DOMAIN.test(domain) && !PUNYCODE.test(domain);
}

function isUnclear(text: string): boolean {
	return (
		!PRINTABLE_ASCII.test(text) && (FORBIDDEN_IN_ADDRESS.test(text) || LEADING_MARK.test(text))
	);
}

function compose(text: string): string {
	return PRINTABLE_ASCII.test(text) ? text : text.normalize("NFC");
}

/** Merges letters with a common upper case: ς becomes σ, so οδος and οδοσ are equal. ß and ı are unchanged. */
function fold(text: string): string {
	if (PRINTABLE_ASCII.test(text)) return text;
	return text.replace(/\p{L}/gu, (letter) => {
		const back = letter.toUpperCase().toLowerCase();
		return back.length === letter.length && letter !== "ı" ? back : letter;
	});
}

function octetsIn(text: string): number {
	if (PRINTABLE_ASCII.test(text)) return text.length;
	return encodeURIComponent(text).replace(/%../g, "%").length;
}

/** Whether DNS can express the domain. A last label of digits is rejected: URL parsers read `1.1` as `1.0.0.1`. */
function isMailDomain(domain: string): boolean {
	const labels = domain.split(".");
	if (labels.length < 2) return false;
	return labels.every((label) => LABEL.test(label)) && !/^\d+$/.test(labels.at(-1)!);
}
