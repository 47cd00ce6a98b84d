/**
 * The one rule for e-mail addresses. The form calls {@link checkEmail} before it sends anything. The
 * server calls {@link canonicalEmail}, which begins with the same check.
 *
 * All of it takes time linear in the length of the text. The textbook pattern `/\S+@\S+\.\S+/` does
 * not: 4,000 at signs keep it busy for 90 seconds.
 */
import { words } from "#brand";

/** What the visitor reads when an address is refused (promises 20 and 23). */
export const EMAIL_MISSING: string = words.messages.emailMissing;
export const EMAIL_INVALID: string = words.messages.emailInvalid;
export const EMAIL_TOO_LONG: string = words.messages.emailTooLong;

/** The longest address a mailbox can have (RFC 5321, 4.5.3.1.3, without the angle brackets). */
export const EMAIL_MAX_LENGTH = 254;

/** The longest local part, in octets of UTF-8 (RFC 5321, 4.5.3.1.1; RFC 6531, 3.3). */
export const LOCAL_PART_MAX_OCTETS = 64;

/** A label of a host: letters, digits and inner hyphens, 63 at most (RFC 1123, 2.1; RFC 1035, 2.3.4). */
const LABEL = /^[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?$/;

/**
 * The longest text that may be an address: decomposing a character makes at most four code
 * units of one (U+1F82). A longer text is refused before any work is spent on it.
 */
const TYPED_MAX_LENGTH = 4 * EMAIL_MAX_LENGTH;

/**
 * One character that no address holds, because it is not text or cannot be told apart when shown:
 * white space, controls, lone surrogates, code points for private use or without a character,
 * invisible ones (zero-width, bidi, fillers), and those that Unicode calls blank but gives no property:
 * a Braille pattern, a note head, two hieroglyphs. U+FFF9 to U+FFFD stand for annotations, objects
 * and what could not be decoded.
 *
 * Which code points have no character (Cn) depends on the version of Unicode. A newer letter is
 * refused until the server's Node knows it: only then are its lower case and its composed form known,
 * and stable, so that its key cannot change (UAX #15, 3). The page leaves all this to the server: an
 * older browser refuses nobody.
 */
export const NOT_IN_ADDRESS =
	/[\s\p{Cc}\p{Cn}\p{Co}\p{Cs}\p{Default_Ignorable_Code_Point}\u2800\uFFF9-\uFFFD\u{13441}\u{13442}\u{1D159}]/u;

/** A combining mark at a start, or after a dot or the at sign: it shows on top of the sign before. */
const LEADING_MARK = /(?:^|[.@])\p{M}/u;

/**
 * Characters that a local part can only hold in quotes or begin a comment with (RFC 5322, 3.2.3).
 * `"ada"@b.c` and `ada(x)@b.c` are other spellings of `ada@b.c`, and `ada,eve@b.c` is a list of two to
 * programs that send mail. No provider gives out an address that needs quotes, and browsers refuse it
 * in a field for addresses (HTML, 4.10.5.1.5).
 */
const NEEDS_QUOTES = /[()<>[\]:;,\\"]/;

/** The fast path of most addresses: nothing in them is invisible, and they are composed already. */
const PRINTABLE_ASCII = /^[ -~]*$/;

const PLAIN_DOMAIN = /^(?:[a-z\d-]+\.)+[a-z][a-z\d-]*$/i;
const PUNYCODE = /(?:^|\.)xn--/i;

/** Where a URL parser would end the host, or decode it: `toAscii` may be such a parser. */
const URL_SYNTAX = /[#%/:?@[\\\]]/;

/** An accepted text, or the sentence that says what is wrong with it. */
export type EmailCheck = { email: string } | { error: string };

/** An accepted address as typed and as compared, or the sentence that says what is wrong. */
export type CanonicalEmail = { email: string; key: string } | { error: string };

/**
 * Checks the form of an address (promise 20): non-space text, an at sign, non-space text, a dot, more
 * non-space text.
 *
 * @param text what the visitor typed; space around it is forgiven
 * @returns the text without the space around it, or one of the promise's two sentences
 */
export function checkEmail(text: string): EmailCheck {
	const email = text.trim();
	if (email === "") return { error: EMAIL_MISSING };
	const at = email.indexOf("@", 1);
	const dot = at < 0 ? -1 : email.indexOf(".", at + 2);
	if (dot < 0 || dot === email.length - 1 || /\s/.test(email)) return { error: EMAIL_INVALID };
	return { email };
}

/**
 * Brings an address into the form that is compared, so that one person has one place (promise 24):
 * without space around it, composed (NFC), without case, the domain in its ASCII spelling and
 * without the root's dot. Plus tags and dots in the local part stay: some mail providers give them
 * mailboxes of their own.
 *
 * Refuses what {@link checkEmail} refuses. Beyond that it refuses only what cannot be a mailbox or
 * cannot be told apart when shown (promise 23): {@link NOT_IN_ADDRESS} characters, a combining mark without
 * a letter, a second at sign, {@link NEEDS_QUOTES}, a domain that DNS cannot express, more than 254
 * characters or 64 octets before the at sign.
 *
 * @param text what the visitor typed
 * @param toAscii IDNA ToASCII for a domain, giving `""` where there is none: `asciiDomain` of the
 *   server, which is not imported here because the page shares this file
 * @returns the address as typed (trimmed) with its key; applied to a key, it gives the same key
 */
export function canonicalEmail(text: string, toAscii: (domain: string) => string): CanonicalEmail {
	const trimmed = text.trim();
	if (trimmed.length > TYPED_MAX_LENGTH) return { error: EMAIL_TOO_LONG };
	const checked = checkEmail(trimmed);
	if ("error" in checked) return checked;
	const { email } = checked;
	const at = email.indexOf("@");
	if (at < 1 || at !== email.lastIndexOf("@") || isUnclear(email)) {
		return { error: EMAIL_INVALID };
	}

	// Lower-casing can decompose (İ becomes i and a dot above): compose again.
	const local = compose(fold(compose(email.slice(0, at)).toLowerCase()));
	if (NEEDS_QUOTES.test(local)) return { error: EMAIL_INVALID };
	const typedDomain = compose(email.slice(at + 1));
	if (URL_SYNTAX.test(typedDomain)) return { error: EMAIL_INVALID };
	const domain = isPlainDomain(typedDomain)
		? typedDomain.toLowerCase()
		: toAscii(typedDomain).toLowerCase().replace(/\.$/, "");

	const key = `${local}@${domain}`;
	if (key.length > EMAIL_MAX_LENGTH || octetsIn(local) > LOCAL_PART_MAX_OCTETS) {
		return { error: EMAIL_TOO_LONG };
	}
	return isMailDomain(domain) ? { email, key } : { error: EMAIL_INVALID };
}

/**
 * Whether a domain is its own ASCII spelling but for case, as nearly all are. No label of it needs
 * decoding, and the last one begins with a letter: no URL parser takes it for a number.
 */
function isPlainDomain(domain: string): boolean {
	return PLAIN_DOMAIN.test(domain) && !PUNYCODE.test(domain);
}

function isUnclear(text: string): boolean {
	return !PRINTABLE_ASCII.test(text) && (NOT_IN_ADDRESS.test(text) || LEADING_MARK.test(text));
}

function compose(text: string): string {
	return PRINTABLE_ASCII.test(text) ? text : text.normalize("NFC");
}

/**
 * Makes one letter of two that share their upper case, as the simple case folding of Unicode does:
 * ς is σ, so that ΟΔΟΣ, οδος and οδοσ are one. Twenty letters are changed: the variants of Greek and
 * Cyrillic letters, µ (the micro sign), ſ and ẛ. A letter whose upper case is several letters stays
 * as it is: ß is not ss. So does ı, the dotless i: its upper case I is the one of i, another letter.
 *
 * @param text in lower case
 */
function fold(text: string): string {
	if (PRINTABLE_ASCII.test(text)) return text;
	return text.replace(/\p{L}/gu, (letter) => {
		const back = letter.toUpperCase().toLowerCase();
		return back.length === letter.length && letter !== "ı" ? back : letter;
	});
}

/** How many octets a text has in UTF-8. */
function octetsIn(text: string): number {
	if (PRINTABLE_ASCII.test(text)) return text.length;
	return encodeURIComponent(text).replace(/%../g, "%").length;
}

/** Whether DNS can hold the domain, and it is no number: URL parsers read `1.1` as `1.0.0.1`. */
function isMailDomain(domain: string): boolean {
	const labels = domain.split(".");
	if (labels.length < 2) return false;
	return labels.every((label) => LABEL.test(label)) && !/^\d+$/.test(labels.at(-1)!);
}
