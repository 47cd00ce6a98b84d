import { randomUUID } from "node:crypto";
import { type IncomingMessage, type ServerResponse, STATUS_CODES } from "node:http";
import type { Duplex } from "node:stream";
import { getRequestListener } from "@hono/node-server";
import { JOIN_PATH } from "#shared/join.ts";
import type { Arrival } from "../join/attempt.ts";
import { isUsualJoin, sendAnswer, usualAttempt } from "../join/fast-path.ts";
import type { Register } from "../join/join.ts";
import { refusal, responseOf } from "./responses.ts";
import { type IsEncrypted, STRICT_TRANSPORT_SECURITY } from "./transport-security.ts";

/** How a request went, as log and metrics tell it: without anything that its sender chose. */
export interface Answered {
	id: string;
	/** One of the methods of HTTP; empty for a request that could not be read. */
	method: string;
	/** Which part of the server it was for: a path could hold an address. */
	route: string;
	status: number;
	ms: number;
}

/** Told about every request when it is over. */
export type OnAnswered = (answered: Answered) => void;

/** What happens to requests beside what the app answers. */
export interface RequestSettings {
	/** Answers the usual joins without the app; where it is absent, the app does. */
	register?: Register;
	onAnswered?: OnAnswered;
	isEncrypted?: IsEncrypted;
}

/** The status of a request whose sender left before the answer: nginx's word for it. */
const LEFT_STATUS = 499;

const UNREADABLE = "This is not a request that can be answered.";

/** Why Node could not read a request, by the code of its error. */
const unreadable: Record<string, { status: number; sentence: string }> = {
	ERR_HTTP_REQUEST_TIMEOUT: { status: 408, sentence: "The request took too long." },
	HPE_HEADER_OVERFLOW: { status: 431, sentence: "The headers are larger than a request needs." },
};

/**
 * Makes listeners for Node's HTTP server of a function from Request to Response. Every request gets
 * an id, which its answer carries as well, so that a visitor's report finds its line in the log.
 */
export function requestListeners(
	fetch: (request: Request, arrival: Arrival) => Response | Promise<Response>,
	{ register, onAnswered = () => {}, isEncrypted = () => false }: RequestSettings,
) {
	const answer = getRequestListener(
		(request, { incoming, outgoing }) => {
			const requestId = outgoing.getHeader("x-request-id") as string;
			return fetch(request, { peer: incoming.socket.remoteAddress, requestId });
		},
		{
			// HTTP/1.0 has no Host header, and health checks still speak it.
			hostname: "localhost",
			errorHandler: () => responseOf(refusal(400, UNREADABLE)),
		},
	);
	/** The latest answer of a connection, and why it was cut if it was. */
	const latest = new WeakMap<Duplex, { id: string; outgoing: ServerResponse; cut?: number }>();

	return {
		onRequest(incoming: IncomingMessage, outgoing: ServerResponse): void {
			const start = performance.now();
			const id = randomUUID();
			const { method = "", url = "" } = incoming;
			const current: { id: string; outgoing: ServerResponse; cut?: number } = { id, outgoing };
			latest.set(incoming.socket, current);
			const own: Record<string, string> = { "x-request-id": id };
			if (isEncrypted(incoming)) own["strict-transport-security"] = STRICT_TRANSPORT_SECURITY;
			outgoing.on("close", () => {
				const ended = outgoing.writableFinished ? outgoing.statusCode : LEFT_STATUS;
				const status = current.cut ?? ended;
				const ms = Math.round((performance.now() - start) * 10) / 10;
				onAnswered({ id, method, route: routeOf(url), status, ms });
			});
			if (register && isUsualJoin(incoming)) {
				void register(usualAttempt(incoming, id)).then((answer) =>
					sendAnswer(incoming, outgoing, answer, own),
				);
				return;
			}
			for (const name in own) outgoing.setHeader(name, own[name]!);
			// Node would refuse it by itself (RFC 9112, 3.2), but without a word.
			if (incoming.headers.host === undefined && incoming.httpVersion === "1.1") {
				const { body, headers } = rawRefusal(400, "The request does not name its host.");
				outgoing.writeHead(400, headers).end(body);
				return;
			}
			void answer(incoming, outgoing);
		},

		onUnreadable(error: NodeJS.ErrnoException, socket: Duplex): void {
			const { status, sentence } = unreadable[error.code ?? ""] ?? {
				status: 400,
				sentence: UNREADABLE,
			};
			const current = latest.get(socket);
			const answering = current && !current.outgoing.writableFinished;
			// What is told of it first is the reason; the connection's end is told as well.
			if (answering) current.cut ??= status;
			// Nobody is there to read it, or it would land in the middle of another answer.
			if (!socket.writable || (answering && current.outgoing.headersSent)) {
				socket.destroy();
				return;
			}
			const id = answering ? current.id : randomUUID();
			const { body, headers } = rawRefusal(status, sentence);
			const lines = Object.entries({ ...headers, "x-request-id": id });
			const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join("");
			socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${head}\r\n${body}`);
			if (!answering) onAnswered({ id, method: "", route: "", status, ms: 0 });
		},
	};
}

const named = new Set([JOIN_PATH, "/healthz", "/readyz"]);

/** The part of the server that a path belongs to. */
function routeOf(url: string): string {
	const path = url.split("?", 1)[0]!;
	if (named.has(path)) return path;
	return path === "/api" || path.startsWith("/api/") ? "/api/*" : "/*";
}

/** An answer without the app, on a connection that ends with it. */
function rawRefusal(status: number, error: string) {
	const { body, headers } = refusal(status, error, { connection: "close" });
	return { body, headers: { ...headers, "content-length": String(body.length) } };
}
