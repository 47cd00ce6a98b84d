import type { IncomingMessage, ServerResponse } from "node:http";
import { type Body, decodeBody } from "./body.ts";
import type { Call } from "./call.ts";
import type { Reply } from "./responses.ts";

/** How long an unread body may go on before its connection is closed, as in node-server. */
const DROPPING_MS = 500;

/** A request of Node's as a call, without the objects, streams and promises of the fetch API. */
export function callOfNode(incoming: IncomingMessage, requestId: string): Call {
	return {
		peer: incoming.socket.remoteAddress,
		requestId,
		header: (name) => headerOf(incoming, name),
		readBody: () => readAll(incoming),
	};
}

/** Node's `headers` keep only the first value of some names; the fetch API keeps all values. */
function headerOf({ rawHeaders }: IncomingMessage, name: string): string | null {
	let joined: string | null = null;
	for (let n = 0; n < rawHeaders.length; n += 2) {
		const sent = rawHeaders[n]!;
		if (sent.length !== name.length || sent.toLowerCase() !== name) continue;
		const value = rawHeaders[n + 1]!;
		joined = joined === null ? value : `${joined}, ${value}`;
	}
	return joined;
}

function readAll(incoming: IncomingMessage): Promise<Body> {
	return new Promise((resolve) => {
		const chunks: Buffer[] = [];
		incoming.on("data", (chunk: Buffer) => chunks.push(chunk));
		incoming.on("end", () => {
			resolve(decodeBody(chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks)));
		});
		// A close without an end: the visitor left, or was too slow. No listener for "error" is
		// needed: unlike other streams, an IncomingMessage emits it only to those who listen.
		incoming.on("close", () => resolve({ refused: "cut off" }));
	});
}

/**
 * Sends a reply, also one that did not wait for the body.
 *
 * @param own headers of every response. They are passed in because `setHeader` before `writeHead`
 *   makes Node take a slower way.
 */
export function sendReply(
	incoming: IncomingMessage,
	outgoing: ServerResponse,
	{ status, headers, body }: Reply,
	own: Readonly<Record<string, string>>,
): void {
	// The visitor has left.
	if (outgoing.destroyed) return;
	// Names and values in one flat array, the form that Node takes fastest.
	const flat = ["content-length", String(Buffer.byteLength(body))];
	for (const name in headers) flat.push(name, headers[name]!);
	for (const name in own) flat.push(name, own[name]!);
	outgoing.writeHead(status, flat);
	outgoing.end(body);
	if (!incoming.complete) drop(incoming);
}

/** Reads and forgets the rest of a body, for a while. */
function drop(incoming: IncomingMessage): void {
	const late = setTimeout(() => incoming.socket.destroySoon(), DROPPING_MS);
	incoming.once("close", () => clearTimeout(late)).resume();
}
