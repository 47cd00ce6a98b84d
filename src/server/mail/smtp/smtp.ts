import { isIP } from "node:net";
import { Readable } from "node:stream";
import type SMTPConnection from "nodemailer/lib/smtp-connection";
import { canonicalizeEmail } from "#shared/email.ts";
import type { MailServer } from "../../settings/mail.ts";
import type { MailSettings } from "../../settings.ts";
import { asciiDomain } from "../../text/ascii-domain.ts";
import {
	acceptedOutcome,
	isConnectionFailure,
	outcomeOfError,
	refusedOutcome,
	type SmtpError,
	type SmtpOutcome,
} from "./smtp-outcome.ts";

export interface OutgoingEmail {
	id: string;
	to: string;
	unsubscribeUrl: string;
	/** Whether the email answers the person's request (RFC 3834, 5). */
	automatic: boolean;
	headers?: Record<string, string>;
	subject: string;
	text: string;
	html: string;
}

/** Five connections send 570 emails per second to a local server; one sends 370. */
export const SMTP_CONNECTIONS = 5;

/** Connecting includes greeting and TLS; `tryMs` limits a whole attempt. */
const DEADLINES = { connectMs: 20_000, tryMs: 110_000 };

/** Some servers close idle connections after ten seconds, so we close ours before. */
const IDLE_MS = 5000;

const QUIT_MS = 1000;

/** A container's host name is not fully qualified, and strict servers reject it in EHLO. */
export const ehloName = ({ origin }: Pick<MailSettings, "origin">) => new URL(origin).hostname;

interface Session {
	connection: SMTPConnection;
	utf8: boolean;
	idleTimer?: NodeJS.Timeout;
}

export async function createSmtpClient(
	{ server, from, origin }: Pick<MailSettings, "server" | "from" | "origin">,
	deadlines = DEADLINES,
) {
	const { default: Connection } = await import("nodemailer/lib/smtp-connection");
	const idle: Session[] = [];
	const open = new Set<SMTPConnection>();
	let closed = false;

	async function connect(deadline: AbortSignal): Promise<Session> {
		const connection = new Connection({
			name: ehloName({ origin }),
			host: server.host,
			port: server.port,
			secure: server.implicitTls,
			...encryption(server),
			connectionTimeout: deadlines.connectMs,
			greetingTimeout: deadlines.connectMs,
			dnsTimeout: deadlines.connectMs,
			socketTimeout: deadlines.tryMs,
		});
		// Without a listener, an error on an idle connection would end the process.
		connection.on("error", () => {});
		open.add(connection);
		connection.once("end", () => open.delete(connection));
		deadline.onabort = () => connection.close();
		try {
			await answered(connection, (done) => connection.connect(done));
			// After connecting, the last response is the reply to EHLO.
			const utf8 = /^250[ -]SMTPUTF8\b/im.test(connection.lastServerResponse || "");
			const { login } = server;
			if (login) {
				const auth = { user: login.user, pass: login.password };
				await answered(connection, (done) => connection.login(auth, done));
			}
			return { connection, utf8 };
		} catch (error) {
			connection.close();
			throw error;
		}
	}

	function takeIdle(deadline: AbortSignal): Session | undefined {
		for (let session = idle.pop(); session; session = idle.pop()) {
			clearTimeout(session.idleTimer);
			if (session.connection.destroyed) continue;
			deadline.onabort = () => session.connection.close();
			return session;
		}
		return undefined;
	}

	function putBack(session: Session): void {
		if (session.connection.destroyed) return;
		session.idleTimer = setTimeout(() => {
			idle.splice(idle.indexOf(session), 1);
			quit(session.connection);
		}, IDLE_MS);
		idle.push(session);
	}

	async function attempt(
		to: string,
		raw: Buffer,
		{ deadline, mayReuse }: { deadline: AbortSignal; mayReuse: boolean },
	): Promise<{ outcome: SmtpOutcome; again: boolean }> {
		let begun = false;
		const used = mayReuse ? takeIdle(deadline) : undefined;
		let session = used;
		try {
			session ??= await connect(deadline);
			if (!isAscii(to) && !session.utf8) {
				putBack(session);
				return { outcome: refusedOutcome("ESMTPUTF8"), again: false };
			}
			const message = new Readable({
				read() {
					begun = true;
					this.push(raw);
					this.push(null);
				},
			});
			const { connection } = session;
			const envelope = { from: from.address, to: [to] };
			const info = await answered<{ response: string }>(connection, (done) =>
				connection.send(envelope, message, done),
			);
			putBack(session);
			return { outcome: acceptedOutcome(info.response), again: false };
		} catch (error) {
			const failure = failureOf(error, deadline);
			const outcome = outcomeOfError(failure, { to, signedIn: session !== undefined, begun });
			session?.connection.close();
			// Retries on a new connection: a server may close a reused one after some time or some emails.
			const isStale = used !== undefined && isConnectionFailure(failure, begun);
			return { outcome, again: isStale && !deadline.aborted && !closed };
		}
	}

	function quit(connection: SMTPConnection): void {
		connection.quit();
		setTimeout(() => connection.close(), QUIT_MS).unref();
	}

	return {
		async send(email: OutgoingEmail): Promise<SmtpOutcome> {
			const deadline = AbortSignal.timeout(deadlines.tryMs);
			try {
				const to = deliverable(email.to);
				if (!to) return refusedOutcome("EADDRESS");
				const raw = await composeMessage(email, to, from);
				const { outcome, again } = await attempt(to, raw, { deadline, mayReuse: true });
				if (!again) return outcome;
				return (await attempt(to, raw, { deadline, mayReuse: false })).outcome;
			} finally {
				deadline.onabort = null;
			}
		},
		async verify() {
			const deadline = AbortSignal.timeout(deadlines.tryMs);
			try {
				const { connection } = await connect(deadline);
				const state = connection.secure ? "encrypted" : "unencrypted";
				quit(connection);
				return { state, code: "" } as const;
			} catch (error) {
				const failure = failureOf(error, deadline);
				const { state, code } = outcomeOfError(failure, { to: "", signedIn: false, begun: false });
				return { state: state === "ours" ? state : "closed", code } as const;
			} finally {
				deadline.onabort = null;
			}
		},
		close(): void {
			closed = true;
			for (const { connection, idleTimer } of idle.splice(0)) {
				clearTimeout(idleTimer);
				open.delete(connection);
				quit(connection);
			}
			for (const connection of open) connection.close();
		},
	};
}

const failureOf = (error: unknown, { aborted }: AbortSignal): SmtpError =>
	aborted ? { code: "ETIMEDOUT" } : (error as SmtpError);

/** Waits for a step. Rejects if the connection ends, which nodemailer does not always report. */
function answered<Answer>(
	connection: SMTPConnection,
	step: (done: (error?: SmtpError | null, answer?: Answer) => void) => void,
): Promise<Answer> {
	return new Promise((resolve, reject) => {
		const ended = () => setImmediate(fail, { code: "ECONNECTION" });
		function settle() {
			connection.off("end", ended);
			connection.off("error", fail);
		}
		function fail(error: SmtpError) {
			settle();
			reject(error);
		}
		connection.once("error", fail);
		connection.once("end", ended);
		step((error, answer) => {
			if (error) return fail(error);
			settle();
			resolve(answer as Answer);
		});
	});
}

/** Requires TLS unless the server is on this machine or needs no password. */
function encryption({ host, implicitTls, login }: MailServer) {
	const here = host === "localhost" || host === "::1" || (isIP(host) === 4 && /^127\./.test(host));
	const required = !here && login !== undefined;
	return {
		requireTLS: required,
		// If TLS is optional, an attacker can remove STARTTLS, so checking the certificate is useless.
		tls: { rejectUnauthorized: required || (implicitTls && !here) },
	};
}

/** Keeps a header on one line. nodemailer would fold it, and some programs read only the first line. */
const unfolded = (value: string) => ({ prepared: true, value });

async function composeMessage(email: OutgoingEmail, to: string, from: MailSettings["from"]) {
	const { default: MailComposer } = await import("nodemailer/lib/mail-composer");
	const mail = new MailComposer({
		from: { name: from.name, address: from.address },
		to: { name: "", address: to },
		subject: email.subject,
		text: email.text,
		html: email.html,
		headers: {
			"Message-ID": unfolded(`<${email.id}@${from.address.split("@")[1]}>`),
			"List-Unsubscribe": unfolded(`<${email.unsubscribeUrl}>`),
			"List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
			...(email.automatic && { "Auto-Submitted": "auto-generated" }),
			...email.headers,
		},
		disableFileAccess: true,
		disableUrlAccess: true,
	});
	return mail.compile().build();
}

/** Matches a local part without quotes (RFC 5322, 3.2.3; RFC 6532, 3.2). */
const LOCAL_PART = /^[\w.!#$%&'*+/=?^`{|}~\u0080-\u{10ffff}-]+$/u;

const isAscii = (text: string) => !/[\u0080-\u{10ffff}]/u.test(text);

/** Returns undefined if the address needs quotes. Keeps its case, which servers may distinguish. */
function deliverable(typed: string): string | undefined {
	const checked = canonicalizeEmail(typed, asciiDomain);
	if ("error" in checked) return undefined;
	const { email, key } = checked;
	const typedLocal = email.slice(0, email.indexOf("@")).normalize("NFC");
	const at = key.indexOf("@");
	// `ſam@` and `sam@` share a key, but not always a mailbox: only `sam@` may get this person's emails.
	const local = isAscii(key.slice(0, at)) && !isAscii(typedLocal) ? key.slice(0, at) : typedLocal;
	return LOCAL_PART.test(local) ? local + key.slice(at) : undefined;
}
