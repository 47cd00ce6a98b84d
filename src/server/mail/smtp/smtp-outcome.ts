/**
 * How an attempt ended. The code is the server's, such as "550 5.1.1", or the name of an error, such
 * as ECONNREFUSED: never the server's text, which holds addresses.
 *
 * - accepted: by the server.
 * - deferred: retry this email later. `quota`: we have sent enough for now.
 * - refused: for good. `bounced`: the mailbox does not exist.
 * - ours: the server refuses us, whatever the email: a wrong password, a policy.
 * - closed: the server took nothing, whatever the email. It is busy, or out of reach.
 * - unknown: the connection was lost while the email was on its way.
 *
 * `atEmail`: the server had let us in, so that its answer may be about this email alone.
 */
export type SmtpOutcome =
	| { state: "accepted" | "unknown"; code: string }
	| { state: "deferred"; code: string; quota?: true }
	| { state: "ours" | "closed"; code: string; atEmail?: true }
	| { state: "refused"; code: string; bounced: boolean };

export interface SmtpError {
	code?: string | undefined;
	originalCode?: string | undefined;
	response?: string | undefined;
	responseCode?: number | undefined;
	command?: string | undefined;
}

export const accepted = (response: string): SmtpOutcome => ({
	state: "accepted",
	code: codeOf({ response, responseCode: Number.parseInt(response, 10) }),
});

export const refused = (code: string, bounced = false): SmtpOutcome => ({
	state: "refused",
	code,
	bounced,
});

const closed = (code: string, atEmail: boolean): SmtpOutcome => ({
	state: "closed",
	code,
	...(atEmail && { atEmail }),
});

/** Sign in first, or with another password or TLS. */
const AUTHENTICATION = [530, 534, 535, 538];

/** No address beyond ASCII here (RFC 6531, 3.5). */
const NO_UTF8 = "5.6.7";

/** SES says 454 alone, others 454 4.7.0, 421 4.7.x and 452 4.5.3, and Google 550 5.4.5, which sounds permanent. */
const QUOTA = /^(?:454(?: 4\.7\.0)?|421 4\.7\.\d+|452 4\.5\.3|550 5\.4\.5)$/;

const isAboutEmail = ({ command }: SmtpError, begun: boolean) =>
	begun || command === "RCPT TO" || command === "DATA";

/** MAIL was refused, or the server hung up: another connection may take the email at once. */
export const isAboutConnection = (error: SmtpError, begun: boolean) =>
	error.responseCode === 421 || !isAboutEmail(error, begun);

/** `letIn`: we had signed in. `begun`: some of the email was sent. */
export function outcomeOf(
	error: SmtpError,
	{ to, begun, ...session }: { to: string; letIn: boolean; begun: boolean },
): SmtpOutcome {
	const code = codeOf(error);
	const { responseCode: answer, response = "" } = error;
	// MAIL names no recipient: its refusal is about us.
	const letIn = session.letIn && error.command !== "MAIL FROM";
	if (!answer) {
		if (error.code === "EAUTH") return { state: "ours", code };
		if (error.code === "EENVELOPE") return refused(code);
		return begun ? { state: "unknown", code } : closed(code, letIn);
	}
	const [, status = ""] = code.split(" ");
	const aboutEmail = isAboutEmail(error, begun);
	if (status === NO_UTF8) return refused(code);
	if (QUOTA.test(code)) {
		// A server that hangs up does not name the command.
		return aboutEmail || (answer === 421 && letIn)
			? { state: "deferred", code, quota: true }
			: closed(code, false);
	}
	if (answer === 421) return closed(code, letIn);
	if (answer < 500) return { state: aboutEmail ? "deferred" : "closed", code };
	if (!aboutEmail) return { state: "ours", code };
	const subject = subjectOf(status, response, to);
	// A relay may pass on the answer of the recipient's server, so one answer proves nothing about us.
	if (subject === "sender" || AUTHENTICATION.includes(answer)) {
		return { state: "ours", code, atEmail: true };
	}
	return refused(code, subject === "mailbox");
}

function codeOf({ code, originalCode, response = "", responseCode }: SmtpError): string {
	if (responseCode) {
		const [, status] = /^\d{3}[ -]([245]\.\d{1,3}\.\d{1,3})(?!\S)/.exec(response) ?? [];
		return status ? `${responseCode} ${status}` : String(responseCode);
	}
	const name = originalCode ?? code ?? "";
	return /^[A-Z][A-Z\d_]*$/.test(name) ? name : "EUNKNOWN";
}

/** Apple's relay addresses exist whatever it answers: it takes emails from registered senders only. */
export const isAppleRelay = (address: string) =>
	address.toLowerCase().endsWith("@privaterelay.appleid.com");

/** No such mailbox or domain, bad syntax, moved, null MX, disabled (RFC 3463, RFC 7505). */
const MAILBOX = /^5\.(?:1\.(?:[1236]|10)|2\.1)$/;

/** 5.1.7 and 5.1.8 are about the sender's address, 5.7 is about policy. */
const SENDER = /^5\.(?:7\.\d+|1\.[78])$/;

const ABOUT_SENDER =
	/\b(?:sender|spam|spamhaus|spamcop|barracudacentral|dnsbl|rbl|black-? ?list\w*|block-? ?list\w*|blocked|unsolicited|reputation|policy|spf|dkim|dmarc|helo|ehlo|authenticat\w+|(?:not |un)authori[sz]ed|client host|relaying|relay (?:access|not)|(?<!not )listed (?:at|by|in|on))\b/i;

const ABOUT_STATE = /\b(?:552|full|quota|storage|rate|try again|later|temporar\w+)\b/i;

const ADDRESS = /\S*@\S*/g;

const STATUS = /(?<![\d.])[45]\.\d{1,3}\.\d{1,3}(?![\d.]*\d)/g;

/**
 * Replies reuse the statuses of a dead mailbox for block lists and full mailboxes, so text and status have
 * to agree. Apple's relay says 5.1.1 to a sender that it does not know.
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

const isSpecific = (code: string) => !code.endsWith(".0.0");

/** The most specific status code in texts; "" if there is none. Some servers say 5.0.0 first. */
export function statusIn(...texts: readonly string[]): string {
	const codes = texts.flatMap((text) => text.match(STATUS)?.[0] ?? []);
	return codes.find(isSpecific) ?? codes[0] ?? "";
}
