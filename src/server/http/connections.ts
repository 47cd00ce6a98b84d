import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";

/** Connections at most. The service's limit of open files is above it (deploying/server.md, LimitNOFILE). */
export const MOST_CONNECTIONS = 10_000;

/**
 * Requests on one connection that may wait for their responses, or come in one turn of the event
 * loop. Browsers and proxies send the next request after the response. Node would read on for as
 * long as the client sends: 64 kB of short requests are two thousand responses in memory. Answering
 * each request before the next one is parsed is not enough: 300 such connections then kept all
 * others waiting for two minutes.
 */
export const MOST_UNANSWERED = 8;

/** The least time between two reports. */
const REPORT_MS = 60_000;

/**
 * Limits the connections of a server, and the unanswered requests of each. The proxy in front limits
 * the connections of one address.
 *
 * @param onFull called at most once a minute with the connections refused since
 * @returns whether a request may be answered; otherwise its connection is gone
 */
export function limitConnections(
	server: Server,
	most: number,
	onFull: (refused: number) => void,
): (incoming: IncomingMessage, outgoing: ServerResponse) => boolean {
	const unanswered = new WeakMap<Socket, number>();
	/** The connections of requests that were answered in this turn of the event loop. */
	let answered: Socket[] = [];
	let refused = 0;
	let reportedAt = Number.NEGATIVE_INFINITY;

	server.maxConnections = most;
	server.on("drop", () => {
		refused += 1;
		if (performance.now() - reportedAt < REPORT_MS) return;
		onFull(refused);
		reportedAt = performance.now();
		refused = 0;
	});
	// Node would end a request for a tunnel without a word: this server is no proxy.
	server.on("connect", (_incoming, socket) => socket.destroy());

	function forgetAnswered(): void {
		for (const socket of answered) unanswered.set(socket, unanswered.get(socket)! - 1);
		answered = [];
	}

	return ({ socket }, outgoing) => {
		// Node passes on the rest of what it has read, also after the connection is gone.
		if (socket.destroyed) return false;
		const waiting = unanswered.get(socket) ?? 0;
		if (waiting === MOST_UNANSWERED) {
			cutOff(socket);
			return false;
		}
		unanswered.set(socket, waiting + 1);
		outgoing.on("close", () => {
			// What is read at once is parsed in one turn.
			if (answered.push(socket) === 1) setImmediate(forgetAnswered);
		});
		return true;
	};
}

/** Node keeps the HTTP parser of a connection on its socket, in no documentation. */
interface ParsedSocket extends Socket {
	parser?: { onIncoming: unknown } | null;
}

/** What Node's `onIncoming` returns for a request after which another protocol begins. */
const NO_MORE_HTTP = 2;

/**
 * Ends a connection, and with it the parsing of what was read from it. Destroying the socket alone does
 * not stop Node's parser: 200 connections with 64 kB of requests each cost the server 3.0 s of processor
 * time, for 374,400 requests. With the parser told that no HTTP follows they cost 0.3 s, for 1,800.
 */
function cutOff(socket: ParsedSocket): void {
	if (socket.parser) socket.parser.onIncoming = () => NO_MORE_HTTP;
	socket.destroy();
}
