import { subjectOf } from "./status.ts";

/**
 * How a try ended. The code is the server's, such as "550 5.1.1", or the name of an error, such as
 * ECONNREFUSED: never the server's text, which holds addresses.
 *
 * - accepted: the server took it.
 * - deferred: not now. Try this email again later. `quota`: the code says that we have sent enough for
 *   now, and `waitMs` for how long, where the server says that.
 * - refused: never. `bounced`: the mailbox does not exist.
 * - ours: the server refuses us, whatever the email: a wrong password, a policy.
 * - closed: the server took nothing, whatever the email. It is busy, or out of reach.
 * - unknown: the connection was lost while the email was on its way.
 *
 * `atEmail`: the server had let us in, so that its answer may be about this email alone.
 */
export type SmtpOutcome =
	| { state: "accepted" | "unknown"; code: string }
	| { state: "deferred"; code: string; quota?: true; waitMs?: number }
	| { state: "ours" | "closed"; code: string; atEmail?: true }
	| { state: "refused"; code: string; bounced: boolean };

/** What the library knows about a failure. */
export interface SmtpError {
	/** Which step failed, such as EAUTH, or a system error. */
	code?: string | undefined;
	/** The system's or TLS library's own code, under the library's. */
	originalCode?: string | undefined;
	/** The server's answer. It may hold addresses. */
	response?: string | undefined;
	responseCode?: number | undefined;
	/** The command that the server refused. */
	command?: string | undefined;
}

/** @param response the answer to the email */
export function accepted(response: string): SmtpOutcome {
	return {
		state: "accepted",
		code: codeOf({ response, responseCode: Number.parseInt(response, 10) }),
	};
}

/** An email that nobody takes, whenever it comes. */
export function refused(code: string, bounced = false): SmtpOutcome {
	return { state: "refused", code, bounced };
}

function closed(code: string, atEmail: boolean): SmtpOutcome {
	return { state: "closed", code, ...(atEmail && { atEmail }) };
}

/** Answers that are about us: sign in first, or with another password or TLS. */
const AUTHENTICATION = new Set([530, 534, 535, 538]);

/** No address beyond ASCII here (RFC 6531, 3.5). */
const NO_UTF8 = "5.6.7";

/**
 * Codes by which providers say that we have sent enough for now: SES by 454 alone, others as 454 4.7.0,
 * 421 4.7.x and 452 4.5.3, and Google by 550 5.4.5, which sounds as if it were for good.
 */
const QUOTA = /^(?:454(?: 4\.7\.0)?|421 4\.7\.\d+|452 4\.5\.3|550 5\.4\.5)$/;

/** `try again in 5 minutes`, `retry after 300 seconds`. */
const WAIT = /\b(?:again|retry|wait)\b[^\d\r\n]{0,40}(\d{1,5}) ?(s|m|h)(?:ec|in|our|\b)/i;

const UNITS_MS: Record<string, number> = { s: 1000, m: 60_000, h: 3_600_000 };

function isAboutEmail({ command }: SmtpError, begun: boolean): boolean {
	return begun || command === "RCPT TO" || command === "DATA";
}

/** Whether the email may pass on another connection at once: MAIL was refused, or the server hung up. */
export function isAboutConnection(error: SmtpError, begun: boolean): boolean {
	return error.responseCode === 421 || !isAboutEmail(error, begun);
}

/**
 * What a failed try says.
 *
 * @param to whom the email was for
 * @param letIn whether the server had let us in before
 * @param begun whether any of the email was read to be sent. If none was, the server has none.
 */
export function outcomeOf(
	error: SmtpError,
	{ to, begun, ...session }: { to: string; letIn: boolean; begun: boolean },
): SmtpOutcome {
	const code = codeOf(error);
	const { responseCode: answer } = error;
	// MAIL names no recipient: its refusal is about us.
	const letIn = session.letIn && error.command !== "MAIL FROM";
	if (!answer) {
		// The library refuses to send with what it was given.
		if (error.code === "EAUTH") return { state: "ours", code };
		if (error.code === "EENVELOPE") return refused(code);
		return begun ? { state: "unknown", code } : closed(code, letIn);
	}
	const [, status = ""] = code.split(" ");
	const aboutEmail = isAboutEmail(error, begun);
	if (status === NO_UTF8) return refused(code);
	if (QUOTA.test(code)) {
		const waitMs = waitOf(error.response);
		// Who hangs up does not tell at which command.
		return aboutEmail || (answer === 421 && letIn)
			? { state: "deferred", code, quota: true, ...(waitMs && { waitMs }) }
			: closed(code, false);
	}
	if (answer === 421) return closed(code, letIn);
	if (answer < 500) return { state: aboutEmail ? "deferred" : "closed", code };
	const subject = subjectOf(status, error.response ?? "", to);
	if (!aboutEmail) return { state: "ours", code };
	// A relay may pass on what the recipient's own server says, so one answer proves nothing about us.
	if (subject === "sender" || AUTHENTICATION.has(answer)) {
		return { state: "ours", code, atEmail: true };
	}
	return refused(code, subject === "mailbox");
}

/** For how long the server asks us to wait, in ms. */
function waitOf(response = ""): number | undefined {
	const [, count, unit] = WAIT.exec(response) ?? [];
	return count && unit ? Number(count) * UNITS_MS[unit.toLowerCase()]! : undefined;
}

/** Keeps the numbers of an answer, or the name of an error: no text, which may hold addresses. */
function codeOf({ code, originalCode, response = "", responseCode }: SmtpError): string {
	if (responseCode) {
		const [, status] = /^\d{3}[ -]([245]\.\d{1,3}\.\d{1,3})(?!\S)/.exec(response) ?? [];
		return status ? `${responseCode} ${status}` : String(responseCode);
	}
	const name = originalCode ?? code ?? "";
	return /^[A-Z][A-Z\d_]*$/.test(name) ? name : "EUNKNOWN";
}
