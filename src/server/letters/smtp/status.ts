/** Apple's addresses that hide others: letters to them are taken from registered senders only. */
const APPLE_RELAY = "@privaterelay.appleid.com";

/** SQL for the same of a letter. */
export const TO_APPLE_RELAY = `letter.email_key LIKE '%${APPLE_RELAY}'`;

/** Whether an address is one that Apple made up for a person. It exists, whatever Apple answers. */
export const isAppleRelay = (address: string) => address.toLowerCase().endsWith(APPLE_RELAY);

/**
 * What an enhanced status code (RFC 3463), such as "5.1.1", is about, in an answer and in a report.
 *
 * - mailbox: it does not exist, nor its domain, or it is disabled: nobody should write to it again.
 * - sender: our address or our standing, so the same for every letter.
 * - letter: anything else, such as a full mailbox (5.2.2), which may be empty tomorrow.
 *
 * @param address of the recipient: Apple's relay says 5.1.1 to a sender that it does not know
 */
export function subjectOf(status: string, address = ""): "mailbox" | "sender" | "letter" {
	// 5.1.7 and 5.1.8 are the only ones of 5.1 about the sender's address; 5.7 is about policy.
	if (/^5\.(?:7\.\d+|1\.[78])$/.test(status)) return "sender";
	if (!/^5\.(?:1\.\d+|2\.1)$/.test(status)) return "letter";
	return isAppleRelay(address) ? "sender" : "mailbox";
}

/** No part of an IP address. */
const STATUS = /(?<![\d.])[45]\.\d{1,3}\.\d{1,3}(?![\d.]*\d)/;

/**
 * The status code in what is said of a failure. Some servers say 5.0.0, and elsewhere the code that
 * they were given.
 *
 * @param said the field of the status first, then texts that may hold a code as well
 * @returns "" where there is none
 */
export function statusIn(...said: readonly string[]): string {
	const codes = said.flatMap((text) => STATUS.exec(text)?.[0] ?? []);
	return codes.find((code) => !code.endsWith(".0.0")) ?? codes[0] ?? "";
}
