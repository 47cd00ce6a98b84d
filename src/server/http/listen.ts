import { createServer, type Server } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { type Responder, requestListeners } from "./requests.ts";

export interface Listening {
	url: string;
	/** Lets requests finish, and cuts connections after this time. */
	close(graceMs: number): Promise<void>;
}

export interface ListenSettings {
	host: string;
	port: number;
	mostConnections?: number;
	/** The longest silence on a connection, also while a response is made. */
	silenceMs?: number;
	portSetting?: string;
}

/** Below the limit of open files (deploying/server.md, LimitNOFILE). */
export const MOST_CONNECTIONS = 10_000;

/** Pipelined requests: without this limit 100 connections took 1,350 MB. Browsers and proxies send one. */
export const MOST_UNANSWERED = 8;

/** Listens. Node's own limits let a body drip for five minutes, and allow any number of connections. */
export async function listen(
	responder: Responder,
	{
		host,
		port,
		mostConnections = MOST_CONNECTIONS,
		silenceMs = 30_000,
		portSetting = "PORT",
	}: ListenSettings,
): Promise<Listening> {
	const { onRequest, onUnreadable } = requestListeners(responder);
	const server = createServer({
		headersTimeout: 10_000,
		requestTimeout: 15_000,
		connectionsCheckingInterval: 1000,
		keepAliveTimeout: 5000,
		maxHeaderSize: 16 * 1024,
		requireHostHeader: false,
	});
	const unanswered = new WeakMap<Socket, number>();
	const onBoundRequest: typeof onRequest = (incoming, outgoing) => {
		const { socket } = incoming;
		// Node passes on the rest of what it has read after the connection is gone.
		if (socket.destroyed) return;
		const waiting = unanswered.get(socket) ?? 0;
		if (waiting === MOST_UNANSWERED) {
			// Destroying the socket does not stop its parser, and 64 kB of requests cost 15 ms. Node
			// keeps the parser there, and 2 says that no HTTP follows. Neither is documented.
			const { parser } = socket as Socket & { parser?: { onIncoming: unknown } | null };
			if (parser) parser.onIncoming = () => 2;
			socket.destroy();
			return;
		}
		unanswered.set(socket, waiting + 1);
		// One read is parsed in one turn.
		const answered = () => unanswered.set(socket, unanswered.get(socket)! - 1);
		outgoing.once("close", () => setImmediate(answered));
		onRequest(incoming, outgoing);
	};
	server.on("request", onBoundRequest);
	// An unknown expectation may be ignored (RFC 9110, 10.1.1).
	server.on("checkExpectation", onBoundRequest);
	server.on("clientError", onUnreadable);
	server.on("connect", (_incoming, socket) => socket.destroy());
	server.on("drop", () => responder.onFull?.());
	server.maxConnections = mostConnections;
	// Node would drop headers beyond a number, and one may be our proxy's X-Forwarded-For.
	server.maxHeadersCount = 0;
	server.timeout = silenceMs;

	await new Promise<void>((resolve, reject) => {
		server.once("error", (error: NodeJS.ErrnoException) => {
			reject(new Error(sentenceFor(error, host, port, portSetting), { cause: error }));
		});
		server.listen(port, host, resolve);
	});
	return { url: urlOf(server, host), close: (graceMs) => close(server, graceMs) };
}

const sentenceFor = (
	{ code = "", message }: NodeJS.ErrnoException,
	host: string,
	port: number,
	setting: string,
) =>
	({
		EADDRINUSE: `Port ${port} is taken by another program: stop it, or set ${setting} to a free one.`,
		EACCES: `Port ${port} needs more rights than this user has: set ${setting} to one above 1023.`,
		EADDRNOTAVAIL: `HOST ${host} is not an address of this machine.`,
		ENOTFOUND: `HOST ${host} is not an address of this machine.`,
	})[code] ?? `Cannot listen on ${host}, port ${port}: ${message}.`;

/** Shows loopback and "every address" as localhost, which a browser can open. */
function urlOf(server: Server, host: string): string {
	const { port } = server.address() as AddressInfo;
	if (["127.0.0.1", "::1", "0.0.0.0", "::"].includes(host)) return `http://localhost:${port}`;
	return `http://${host.includes(":") ? `[${host}]` : host}:${port}`;
}

async function close(server: Server, graceMs: number): Promise<void> {
	const closed = new Promise((resolve) => server.close(resolve));
	// No event says that a kept-alive connection has become idle.
	const idle = setInterval(() => server.closeIdleConnections(), 50);
	const grace = setTimeout(() => server.closeAllConnections(), graceMs);
	await closed;
	clearInterval(idle);
	clearTimeout(grace);
}
