/**
 * What an enhanced status code (RFC 3463), such as "5.1.1", is about, in an answer and in a report.
 *
 * - mailbox: it does not exist, nor its domain, or it is disabled: nobody should write to it again.
 * - sender: our address or our standing, so the same for every letter.
 * - letter: anything else, such as a full mailbox (5.2.2), which may be empty tomorrow.
 */
export function subjectOf(status: string): "mailbox" | "sender" | "letter" {
	// 5.1.7 and 5.1.8 are the only ones of 5.1 about the sender's address; 5.7 is about policy.
	if (/^5\.(?:7\.\d+|1\.[78])$/.test(status)) return "sender";
	return /^5\.(?:1\.\d+|2\.1)$/.test(status) ? "mailbox" : "letter";
}
