import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { limitConnections, MOST_CONNECTIONS } from "./connections.ts";
import { type Responder, requestListeners } from "./requests.ts";

/** A server that accepts connections. */
export interface Listening {
	/** The address to open in a browser. */
	url: string;
	/**
	 * Stops accepting, lets requests finish, and resolves when every connection is gone.
	 *
	 * @param graceMs connections that are left after this are cut
	 */
	close(graceMs: number): Promise<void>;
}

/** Where to listen, and for whom. */
export interface ListenSettings {
	host: string;
	port: number;
	mostConnections?: number;
	/** For how long nothing may move on a connection, also while a response is made: 30 s unless given. */
	silenceMs?: number;
	/** The setting that the port comes from. */
	portSetting?: string;
}

/**
 * Listens, with limits against requests that hostile or broken clients never finish. Node's own
 * limits let a body drip for five minutes, look for slow requests every 30 s, and allow any number
 * of connections, each with any number of requests that wait for a response.
 *
 * @throws Error with a sentence for the operator when the address cannot be listened on
 */
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
	const mayRespond = limitConnections(server, mostConnections, responder.onFull ?? (() => {}));
	const onBoundRequest: typeof onRequest = (incoming, outgoing) => {
		if (mayRespond(incoming, outgoing)) onRequest(incoming, outgoing);
	};
	server.on("request", onBoundRequest);
	// No limit by number: Node drops the headers beyond it without a word, and one of them may be the
	// X-Forwarded-For that our own proxy appended. Their size is limited above.
	server.maxHeadersCount = 0;
	server.timeout = silenceMs;
	// An unknown expectation may be ignored (RFC 9110, 10.1.1).
	server.on("checkExpectation", onBoundRequest);
	server.on("clientError", onUnreadable);

	await new Promise<void>((resolve, reject) => {
		server.once("error", (error: NodeJS.ErrnoException) => {
			reject(new Error(sentenceFor(error, host, port, portSetting), { cause: error }));
		});
		server.listen(port, host, resolve);
	});
	return { url: urlOf(server, host), close: (graceMs) => close(server, graceMs) };
}

function sentenceFor(
	{ code, message }: NodeJS.ErrnoException,
	host: string,
	port: number,
	setting: string,
): string {
	switch (code) {
		case "EADDRINUSE":
			return `Port ${port} is taken by another program: stop it, or set ${setting} to a free one.`;
		case "EACCES":
			return `Port ${port} needs more rights than this user has: set ${setting} to one above 1023.`;
		case "EADDRNOTAVAIL":
		case "ENOTFOUND":
			return `HOST ${host} is not an address of this machine.`;
		default:
			return `Cannot listen on ${host}, port ${port}: ${message}.`;
	}
}

/** Loopback and "every address" are shown as localhost, which a browser can open. */
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

/**
 * Names of this machine. Any other name belongs to a site that points its name here (DNS
 * rebinding).
 */
const OWN_NAME = /^(?:localhost|127\.0\.0\.1|\[::1\])(?::\d+)?$/i;

/**
 * Shows metrics (`text`) to this machine only, and to no page that a browser on it has open.
 *
 * @returns their address, and how to stop
 * @throws Error with a sentence for the operator when the port is taken
 */
export async function listenForMetrics(text: () => Promise<string>, port: number) {
	const server = createServer(async (request, response) => {
		if (!OWN_NAME.test(request.headers.host ?? "")) return response.writeHead(421).end();
		if (request.url !== "/metrics") return response.writeHead(404).end();
		response.writeHead(200, { "content-type": "text/plain; version=0.0.4; charset=utf-8" });
		response.end(await text());
	});
	await new Promise<void>((resolve, reject) => {
		server.once("error", ({ message }) => {
			reject(new Error(`WAITLIST_METRICS_PORT ${port} cannot be listened on: ${message}.`));
		});
		server.listen(port, "127.0.0.1", resolve);
	});
	const { port: actual } = server.address() as AddressInfo;
	return {
		url: `http://127.0.0.1:${actual}/metrics`,
		close() {
			server.close();
			server.closeAllConnections();
		},
	};
}
