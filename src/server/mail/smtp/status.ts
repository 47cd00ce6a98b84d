/** Apple's addresses that hide others: emails to them are taken from registered senders only. */
const APPLE_RELAY = "@privaterelay.appleid.com";

/** Whether an address is one that Apple made up for a person. It exists, whatever Apple answers. */
export const isAppleRelay = (address: string) => address.toLowerCase().endsWith(APPLE_RELAY);

/** No such mailbox or domain, bad syntax, moved, no mail taken (null MX), disabled (RFC 3463, RFC 7505). */
const MAILBOX = /^5\.(?:1\.(?:[1236]|10)|2\.1)$/;

/** 5.1.7 and 5.1.8 are about the sender's address, 5.7 is about policy. */
const SENDER = /^5\.(?:7\.\d+|1\.[78])$/;

/** Words about our address, server, content or standing, whatever the status. */
const ABOUT_SENDER =
	/\b(?:sender|spam|spamhaus|spamcop|barracudacentral|dnsbl|rbl|black-? ?list\w*|block-? ?list\w*|blocked|unsolicited|reputation|policy|spf|dkim|dmarc|helo|ehlo|authenticat\w+|(?:not |un)authori[sz]ed|client host|relaying|relay (?:access|not)|(?<!not )listed (?:at|by|in|on))\b/i;

/** Words about the state of a mailbox that exists. */
const ABOUT_STATE = /\b(?:552|full|quota|storage|rate|try again|later|temporar\w+)\b/i;

/** Addresses may hold any of these words. */
const ADDRESS = /\S*@\S*/g;

/** No part of an IP address. */
const STATUS = /(?<![\d.])[45]\.\d{1,3}\.\d{1,3}(?![\d.]*\d)/g;

/**
 * Decides whether a failure is about the mailbox, the sender or the email. Replies reuse the statuses of
 * a dead mailbox for block lists and full mailboxes, so the reply has to agree with the status.
 *
 * - mailbox: it does not exist, nor its domain, or it is disabled: nobody should write to it again.
 * - sender: our address or our standing, so the same for every email.
 * - email: anything else, such as a full mailbox (5.2.2), which may be empty tomorrow.
 *
 * @param status the enhanced status code (RFC 3463), such as "5.1.1"
 * @param reply the text of the reply, which may hold other codes
 * @param address of the recipient: Apple's relay says 5.1.1 to a sender that it does not know
 */
export function subjectOf(
	status: string,
	reply: string,
	address = "",
): "mailbox" | "sender" | "email" {
	const text = reply.replace(ADDRESS, " ");
	const codes = [status, ...(text.match(STATUS) ?? []).filter(isSpecific)];
	if (ABOUT_SENDER.test(text) || codes.some((code) => SENDER.test(code))) return "sender";
	if (ABOUT_STATE.test(text) || !codes.every((code) => MAILBOX.test(code))) return "email";
	return isAppleRelay(address) ? "sender" : "mailbox";
}

/** Whether a code says more than that something failed. */
const isSpecific = (code: string) => !code.endsWith(".0.0");

/**
 * The status code in what is said of a failure. Some servers say 5.0.0, and elsewhere the code that
 * they were given.
 *
 * @param said the field of the status first, then texts that may hold a code as well
 * @returns "" where there is none
 */
export function statusIn(...said: readonly string[]): string {
	const codes = said.flatMap((text) => text.match(STATUS)?.[0] ?? []);
	return codes.find(isSpecific) ?? codes[0] ?? "";
}
