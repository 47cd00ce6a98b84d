/**
 * Outcome of an attempt. The code is the server's, such as "550 5.1.1", or an error name such as ECONNREFUSED.
 * It never includes the server's text, which contains addresses.
 *
 * - accepted: by the server.
 * - deferred: retry this email later. `quota`: the sending limit is reached.
 * - refused: permanently. `bounced`: the mailbox does not exist.
 * - ours: the server rejects us, not the email, for example because of a wrong password or a policy.
 * - closed: the server is busy or unreachable.
 * - unknown: the connection was lost while sending the email.
 *
 * `atEmail`: we had signed in, so the reply may concern only this email.
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

export const acceptedOutcome = (response: string): SmtpOutcome => ({
	state: "accepted",
	code: codeOf({ response, responseCode: Number.parseInt(response, 10) }),
});

export const refusedOutcome = (code: string, bounced = false): SmtpOutcome => ({
	state: "refused",
	code,
	bounced,
});

const closed = (code: string, atEmail: boolean): SmtpOutcome => ({
	state: "closed",
	code,
	...(atEmail && { atEmail }),
});

const AUTHENTICATION = [530, 534, 535, 538];

const NO_UTF8 = "5.6.7";

/** Replies at the sending limit: 454 from SES, 550 5.4.5 from Google (a temporary 550), the rest from others. */
const QUOTA = /^(?:454(?: 4\.7\.0)?|421 4\.7\.\d+|452 4\.5\.3|550 5\.4\.5)$/;

const isAboutEmail = ({ command }: SmtpError, begun: boolean) =>
	begun || command === "RCPT TO" || command === "DATA";

/** Whether the failure is about the connection, so that another connection may work immediately. */
export const isConnectionFailure = (error: SmtpError, begun: boolean) =>
	error.responseCode === 421 || !isAboutEmail(error, begun);

/** `begun` means that part of the email was sent. */
export function outcomeOfError(
	error: SmtpError,
	{ to, begun, ...session }: { to: string; signedIn: boolean; begun: boolean },
): SmtpOutcome {
	const code = codeOf(error);
	const { responseCode: answer, response = "" } = error;
	// MAIL names only the sender, so its refusal concerns us.
	const signedIn = session.signedIn && error.command !== "MAIL FROM";
	if (!answer) {
		if (error.code === "EAUTH") return { state: "ours", code };
		if (error.code === "EENVELOPE") return refusedOutcome(code);
		return begun ? { state: "unknown", code } : closed(code, signedIn);
	}
	const [, status = ""] = code.split(" ");
	const aboutEmail = isAboutEmail(error, begun);
	if (status === NO_UTF8) return refusedOutcome(code);
	if (QUOTA.test(code)) {
		// nodemailer reports no command for a 421, so any 421 after the sign-in counts as a reply to this email.
		return aboutEmail || (answer === 421 && signedIn)
			? { state: "deferred", code, quota: true }
			: closed(code, false);
	}
	if (answer === 421) return closed(code, signedIn);
	if (answer < 500) return { state: aboutEmail ? "deferred" : "closed", code };
	if (!aboutEmail) return { state: "ours", code };
	const subject = classifyRefusal(status, response, to);
	// A relay may forward the recipient server's reply, so one reply proves nothing about us.
	if (subject === "sender" || AUTHENTICATION.includes(answer)) {
		return { state: "ours", code, atEmail: true };
	}
	return refusedOutcome(code, subject === "mailbox");
}

function codeOf({ code, originalCode, response = "", responseCode }: SmtpError): string {
	if (responseCode) {
		const [, status] = /^\d{3}[ -]([245]\.\d{1,3}\.\d{1,3})(?!\S)/.exec(response) ?? [];
		return status ? `${responseCode} ${status}` : String(responseCode);
	}
	const name = originalCode ?? code ?? "";
	return /^[A-Z][A-Z\d_]*$/.test(name) ? name : "EUNKNOWN";
}

/** Apple's relay rejects unregistered senders, so its replies do not prove an address dead. */
export const isAppleRelay = (address: string) =>
	address.toLowerCase().endsWith("@privaterelay.appleid.com");

/** Statuses of dead addresses: no mailbox or domain, bad syntax, moved, null MX, disabled (RFC 3463, RFC 7505). */
const MAILBOX = /^5\.(?:1\.(?:[1236]|10)|2\.1)$/;

/** Statuses about us: 5.1.7 and 5.1.8 concern the sender's address, 5.7 a policy. */
const SENDER = /^5\.(?:7\.\d+|1\.[78])$/;

const ABOUT_SENDER =
	/\b(?:sender|spam|spamhaus|spamcop|barracudacentral|dnsbl|rbl|black-? ?list\w*|block-? ?list\w*|blocked|unsolicited|reputation|policy|spf|dkim|dmarc|helo|ehlo|authenticat\w+|(?:not |un)authori[sz]ed|client host|relaying|relay (?:access|not)|(?<!not )listed (?:at|by|in|on))\b/i;

const ABOUT_STATE = /\b(?:552|full|quota|storage|rate|try again|later|temporar\w+)\b/i;

const ADDRESS = /\S*@\S*/g;

const STATUS = /(?<![\d.])[45]\.\d{1,3}\.\d{1,3}(?![\d.]*\d)/g;

/** The reply's text must agree with its status: some servers use a dead mailbox's status for block lists. */
export function classifyRefusal(
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

/** Returns the first specific status code, or else the first, or ''. Some servers send 5.0.0 before a specific one. */
export function findStatusCode(...texts: readonly string[]): string {
	const codes = texts.flatMap((text) => text.match(STATUS)?.[0] ?? []);
	return codes.find(isSpecific) ?? codes[0] ?? "";
}
