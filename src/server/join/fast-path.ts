import type { IncomingMessage, ServerResponse } from "node:http";
import { JOIN_PATH } from "#shared/join.ts";
import { BODY_MAX_BYTES, type Body, decodeBody } from "../http/body.ts";
import type { Answer } from "../http/responses.ts";
import type { Attempt } from "./attempt.ts";

/** How long a body that nobody reads may go on before its connection is closed, as in node-server. */
const DROPPING_MS = 500;

/** A host that cannot be misread: everything else is parsed before it is believed. */
const PLAIN_HOST = /^[a-z\d._-]+(?::(?:[1-5]\d{3,4}|[6-9]\d{3}))?$/;

/**
 * Whether a request is the one that nearly every join is: of our path, to a plain host, with a
 * body that says how long it is and is not too long.
 *
 * Such a request goes from Node's own objects to a registration and back, without the objects,
 * streams and promises of the fetch API in between. Whatever is unusual goes through the app, which
 * asks the same function and answers the same.
 */
export function isUsualJoin({ method, url, headers }: IncomingMessage): boolean {
	if (method !== "POST" || (url !== JOIN_PATH && !url?.startsWith(`${JOIN_PATH}?`))) {
		return false;
	}
	const length = headers["content-length"];
	return (
		length !== undefined &&
		Number(length) <= BODY_MAX_BYTES &&
		headers["transfer-encoding"] === undefined &&
		PLAIN_HOST.test(headers.host ?? "")
	);
}

/** The attempt in a request of Node's. */
export function usualAttempt(incoming: IncomingMessage, requestId: string): Attempt {
	return {
		peer: incoming.socket.remoteAddress,
		requestId,
		header: (name) => headerOf(incoming, name),
		readBody: () => readAll(incoming),
	};
}

/** Node's `headers` keep only the first of some names, and the fetch API keeps all of all. */
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
		// Without an end before it: the visitor went away, or was too slow. Nobody hears of an error
		// who does not ask (IncomingMessage, unlike other streams).
		incoming.on("close", () => resolve({ refused: "cut off" }));
	});
}

/**
 * Sends an answer, also one that did not wait for the body.
 *
 * @param own headers of every answer; given here, because Node takes those that are set before the
 *   others a slower way
 */
export function sendAnswer(
	incoming: IncomingMessage,
	outgoing: ServerResponse,
	{ status, headers, body }: Answer,
	own: Readonly<Record<string, string>>,
): void {
	// Nobody is there any more.
	if (outgoing.destroyed) return;
	// In a row, as Node takes them fastest.
	const row = ["content-length", String(Buffer.byteLength(body))];
	for (const name in headers) row.push(name, headers[name]!);
	for (const name in own) row.push(name, own[name]!);
	outgoing.writeHead(status, row);
	outgoing.end(body);
	if (!incoming.complete) drop(incoming);
}

function drop(incoming: IncomingMessage): void {
	const late = setTimeout(() => incoming.socket.destroySoon(), DROPPING_MS);
	incoming.once("close", () => clearTimeout(late)).resume();
}
