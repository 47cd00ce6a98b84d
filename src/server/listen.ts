import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { type RequestSettings, requestListeners } from "./http/requests.ts";
import type { Arrival } from "./join/attempt.ts";

/** A server that accepts connections. */
export interface Listening {
	/** Where a browser finds it. */
	url: string;
	/**
	 * Stops accepting, lets requests finish, and resolves when every connection is gone.
	 *
	 * @param graceMs after this, what is left is cut
	 */
	close(graceMs: number): Promise<void>;
}

interface ListenSettings extends RequestSettings {
	host: string;
	port: number;
}

/**
 * Listens with limits that end what hostile or broken clients leave half done. Node's own allow a
 * body that drips for five minutes, look for the slow every 30 s, and count no connections.
 *
 * @throws Error with a sentence for the operator when the address cannot be listened on
 */
export async function listen(
	fetch: (request: Request, arrival: Arrival) => Response | Promise<Response>,
	settings: ListenSettings,
): Promise<Listening> {
	const { host, port } = settings;
	const { onRequest, onUnreadable } = requestListeners(fetch, settings);
	const server = createServer(
		{
			headersTimeout: 10_000,
			requestTimeout: 15_000,
			connectionsCheckingInterval: 1000,
			keepAliveTimeout: 5000,
			maxHeaderSize: 16 * 1024,
			requireHostHeader: false,
		},
		onRequest,
	);
	server.maxHeadersCount = 100;
	server.maxConnections = 10_000;
	server.timeout = 30_000;
	// An expectation that nobody knows may be ignored (RFC 9110, 10.1.1).
	server.on("checkExpectation", onRequest);
	server.on("clientError", onUnreadable);

	await new Promise<void>((resolve, reject) => {
		server.once("error", (error: NodeJS.ErrnoException) => {
			reject(new Error(sentenceFor(error, host, port), { cause: error }));
		});
		server.listen(port, host, resolve);
	});
	return { url: urlOf(server, host), close: (graceMs) => close(server, graceMs) };
}

function sentenceFor({ code, message }: NodeJS.ErrnoException, host: string, port: number): string {
	switch (code) {
		case "EADDRINUSE":
			return `Port ${port} is taken by another program: stop it, or set PORT to a free one.`;
		case "EACCES":
			return `Port ${port} needs more rights than this user has: set PORT to one above 1023.`;
		case "EADDRNOTAVAIL":
		case "ENOTFOUND":
			return `HOST ${host} is not an address of this machine.`;
		default:
			return `Cannot listen on ${host}, port ${port}: ${message}.`;
	}
}

/** Loopback and "every address" are shown as localhost, which is what a browser can open. */
function urlOf(server: Server, host: string): string {
	const { port } = server.address() as AddressInfo;
	if (["127.0.0.1", "::1", "0.0.0.0", "::"].includes(host)) return `http://localhost:${port}`;
	return `http://${host.includes(":") ? `[${host}]` : host}:${port}`;
}

async function close(server: Server, graceMs: number): Promise<void> {
	const closed = new Promise((resolve) => server.close(resolve));
	// A kept-alive connection becomes idle when its last answer is out, which nobody announces.
	const idle = setInterval(() => server.closeIdleConnections(), 50);
	const grace = setTimeout(() => server.closeAllConnections(), graceMs);
	await closed;
	clearInterval(idle);
	clearTimeout(grace);
}
