import { once } from "node:events";
import type { AddressInfo, Socket } from "node:net";
import type { Readable } from "node:stream";
import PostalMime, { type Email } from "postal-mime";
import { SMTPServer, type SMTPServerSession } from "smtp-server";

/**
 * The moments at which a mail server answers. At `message` it has all of the letter, and keeps it
 * unless its answer is an error.
 */
export type MailStep = "connect" | "sign in" | "sender" | "recipient" | "message";

/**
 * An answer: undefined accepts, and a text such as `550 5.1.1 no such user` refuses. `drop` cuts the
 * connection, `silence` says nothing any more; both keep a letter that has arrived.
 */
export type MailAnswer = string | "drop" | "silence" | undefined;

export interface MailServerOptions {
	/** @param recipient of the letter, "" before the step `recipient` */
	answer?: (step: MailStep, recipient: string) => MailAnswer | Promise<MailAnswer>;
	/** Who must sign in; without it nobody does. */
	login?: { user: string; password: string };
	/** Whether it takes addresses beyond ASCII (SMTPUTF8). */
	utf8?: boolean;
	/** Whether it offers STARTTLS, with a certificate that nobody trusts. */
	tls?: boolean;
}

/** A letter that the server keeps. */
export interface KeptLetter {
	/** The envelope. The server shows domains decoded: `bücher.example`, however they came. */
	from: string;
	to: string;
	raw: Buffer;
}

/** A real SMTP server on a loopback port of its own. */
export interface MailServer {
	/** For SMTP_URL, with user and password if there are any. */
	url: string;
	port: number;
	/** In the order of their arrival, also those whose sender was told nothing. */
	kept: KeptLetter[];
	/** How many connections there were, and how many there are. */
	connections(): { made: number; open: number };
	/** Cuts connections, and stops. */
	stop(): Promise<void>;
}

/** Starts a mail server that answers as it is told, and keeps what it takes. */
export async function startMailServer({
	answer = () => undefined,
	login,
	utf8 = true,
	tls = false,
}: MailServerOptions = {}): Promise<MailServer> {
	const kept: KeptLetter[] = [];
	const sockets = new Map<number, Socket>();
	let made = 0;

	/** Answers a step: by going on, with an error, by cutting the connection, or not at all. */
	async function reply(
		step: MailStep,
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
		// It would warn that everybody knows its certificate.
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
			// The client hung up in the middle.
			if (!chunks) return;
			const raw = Buffer.concat(chunks);
			const { mailFrom, rcptTo } = session.envelope;
			const letter = { from: mailFrom ? mailFrom.address : "", to: rcptTo[0]?.address ?? "", raw };
			const said = await answer("message", letter.to);
			if (said === undefined || said === "drop" || said === "silence") kept.push(letter);
			void reply("message", session, letter.to, done, said);
		},
	});
	// A client that hangs up is no error of this server.
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

/** Reads a letter as a mail program does: headers, text and HTML. */
export function readLetter({ raw }: Pick<KeptLetter, "raw">): Promise<Email> {
	return PostalMime.parse(raw);
}
