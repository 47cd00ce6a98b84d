import { once } from "node:events";
import type { AddressInfo, Socket } from "node:net";
import type { Readable } from "node:stream";
import PostalMime, { type Email } from "postal-mime";
import { SMTPServer, type SMTPServerSession } from "smtp-server";

/** SMTP steps in order. The server has received the whole email at `message`. */
export type SmtpStep = "connect" | "sign in" | "sender" | "recipient" | "message";

/**
 * Undefined accepts the step; a string such as `550 5.1.1 no such user` is sent as the reply. `drop`
 * closes the connection. `silence` never replies.
 */
export type SmtpAnswer = string | "drop" | "silence" | undefined;

export interface MailServerOptions {
	answer?: (step: SmtpStep, recipient: string) => SmtpAnswer | Promise<SmtpAnswer>;
	login?: { user: string; password: string };
	utf8?: boolean;
	/** Whether to offer STARTTLS, with an untrusted certificate. */
	tls?: boolean;
}

export interface ReceivedEmail {
	/** Domains are Unicode, such as `bücher.example`. */
	from: string;
	to: string;
	/** The host name that the client sent in EHLO. */
	client: string;
	raw: Buffer;
}

export interface MailServer {
	url: string;
	port: number;
	/** Emails that were not rejected, in order of arrival, even if the sender got no reply. */
	kept: ReceivedEmail[];
	connections(): { made: number; open: number };
	stop(): Promise<void>;
}

export async function startMailServer({
	answer = () => undefined,
	login,
	utf8 = true,
	tls = false,
}: MailServerOptions = {}): Promise<MailServer> {
	const kept: ReceivedEmail[] = [];
	const sockets = new Map<number, Socket>();
	let made = 0;

	async function reply(
		step: SmtpStep,
		session: SMTPServerSession,
		recipient: string,
		done: (error?: Error) => void,
		says = answer(step, recipient),
	): Promise<void> {
		const said = await says;
		if (said === "silence") return;
		if (said === "drop") sockets.get(session.remotePort)?.destroy();
		else if (said === undefined) done();
		else {
			const [code, ...words] = said.split(" ");
			done(Object.assign(new Error(words.join(" ")), { responseCode: Number(code) }));
		}
	}

	const server = new SMTPServer({
		// Otherwise smtp-server warns that the key of its test certificate is public.
		logger: false,
		disableReverseLookup: true,
		allowInsecureAuth: true,
		authOptional: login === undefined,
		disabledCommands: [...(tls ? [] : ["STARTTLS"]), ...(login ? [] : ["AUTH"])],
		hideSMTPUTF8: !utf8,
		closeTimeout: 1,
		onConnect: (session, done) => reply("connect", session, "", done),
		onAuth(auth, session, done) {
			void reply("sign in", session, "", (error) => {
				const right = auth.username === login?.user && auth.password === login?.password;
				done(error, right ? { user: auth.username } : {});
			});
		},
		onMailFrom: (_, session, done) => reply("sender", session, "", done),
		onRcptTo: ({ address }, session, done) => reply("recipient", session, address, done),
		async onData(stream, session, done) {
			const chunks = await (stream as Readable).toArray().catch(() => undefined);
			if (!chunks) return;
			const raw = Buffer.concat(chunks);
			const { mailFrom, rcptTo } = session.envelope;
			const [from, to] = [mailFrom ? mailFrom.address : "", rcptTo[0]?.address ?? ""];
			const email = { from, to, client: session.hostNameAppearsAs, raw };
			const said = await answer("message", email.to);
			if (said === undefined || said === "drop" || said === "silence") kept.push(email);
			void reply("message", session, email.to, done, said);
		},
	});
	// A client that hangs up is not a server error.
	server.on("error", () => {});
	server.server.on("connection", (socket: Socket) => {
		made += 1;
		const port = socket.remotePort!;
		sockets.set(port, socket);
		socket.once("close", () => sockets.delete(port));
	});
	server.listen(0, "127.0.0.1");
	await once(server.server, "listening");
	const { port } = server.server.address() as AddressInfo;
	const user = login
		? `${encodeURIComponent(login.user)}:${encodeURIComponent(login.password)}@`
		: "";
	return {
		url: `smtp://${user}127.0.0.1:${port}`,
		port,
		kept,
		connections: () => ({ made, open: sockets.size }),
		async stop() {
			for (const socket of sockets.values()) socket.destroy();
			await new Promise<void>((resolve) => server.close(() => resolve()));
		},
	};
}

export function parseEmail({ raw }: Pick<ReceivedEmail, "raw">): Promise<Email> {
	return PostalMime.parse(raw);
}
