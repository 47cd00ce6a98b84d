import { randomUUID } from "node:crypto";
import { type IncomingMessage, type ServerResponse, STATUS_CODES } from "node:http";
import type { Duplex } from "node:stream";
import { getRequestListener } from "@hono/node-server";
import { INVITATION_PATH, REDEEM_PATH } from "#shared/invitation.ts";
import { JOIN_PATH } from "#shared/join.ts";
import { feedbackPath, feedbackProviders, LETTER_PATH, UNSUBSCRIBE_PATH } from "#shared/letters.ts";
import type { Arrival } from "./call.ts";
import { refusal, responseOf } from "./responses.ts";
import { type IsEncrypted, STRICT_TRANSPORT_SECURITY } from "./transport-security.ts";

/** How a request went, for log and metrics. Nothing in it was chosen by its sender. */
export interface FinishedRequest {
	id: string;
	/** One of HTTP's methods; empty if the request could not be read. */
	method: string;
	/** The part of the server it was for. Not the path, which could hold an e-mail address. */
	route: string;
	status: number;
	ms: number;
}

/** Called for every request when it is over. */
export type OnFinished = (request: FinishedRequest) => void;

/** What a server needs to respond to requests. */
export interface Responder {
	/** The app. */
	fetch: (request: Request, arrival?: Arrival) => Response | Promise<Response>;
	onFinished?: OnFinished;
	isEncrypted?: IsEncrypted;
	/** Told at most once a minute how many connections were refused. */
	onFull?: (refused: number) => void;
	/** Names the part of the server that a path belongs to, for log and metrics. By default that of the site. */
	routeOf?: (url: string) => string;
	/** Whether the server is about to stop: responses then ask for another connection. */
	isDraining?: () => boolean;
}

/**
 * The status of a request whose sender left, or was cut off, before the end of the response. The
 * number is nginx's, and so is the sign: a client that ends its side of the connection has left.
 */
const LEFT_STATUS = 499;

/** How long a client whose request was refused as unreadable has to end the connection. */
const CUT_OFF_MS = 500;

const UNREADABLE = "This is not a request that can be answered.";

/** Why a request is refused without the app. */
interface Fault {
	status: number;
	sentence: string;
}

/** A request and its response. */
interface Exchange {
	id: string;
	incoming: IncomingMessage;
	outgoing: ServerResponse;
	/** The status that cut the response short, if one did. */
	cut?: number;
}

/** Why Node could not read a request, by the code of its error. */
const unreadable: Record<string, Fault> = {
	ERR_HTTP_REQUEST_TIMEOUT: { status: 408, sentence: "The request took too long." },
	HPE_HEADER_OVERFLOW: { status: 431, sentence: "The headers are larger than a request needs." },
};

/**
 * Makes listeners for Node's HTTP server. Every request gets an id, which its response carries too:
 * a visitor who reports a problem can name the line in the log.
 */
export function requestListeners({
	fetch,
	onFinished = () => {},
	isEncrypted = () => false,
	isDraining = () => false,
	routeOf = routeOfSite,
}: Responder) {
	const respond = getRequestListener(
		(request, { incoming, outgoing }) => {
			const requestId = outgoing.getHeader("x-request-id") as string;
			return fetch(request, { peer: incoming.socket.remoteAddress, requestId });
		},
		{
			// HTTP/1.0 has no Host header, and some health checks still speak it.
			hostname: "localhost",
			errorHandler: () => responseOf(refusal(400, UNREADABLE)),
		},
	);
	/** The latest request of each connection. */
	const latest = new WeakMap<Duplex, Exchange>();

	return {
		onRequest(incoming: IncomingMessage, outgoing: ServerResponse): void {
			const start = performance.now();
			const id = randomUUID();
			const { method = "", url = "" } = incoming;
			const current: Exchange = { id, incoming, outgoing };
			latest.set(incoming.socket, current);
			const own: Record<string, string> = { "x-request-id": id };
			if (isEncrypted(incoming)) own["strict-transport-security"] = STRICT_TRANSPORT_SECURITY;
			// Otherwise a proxy may send the next request on a connection that is just being closed.
			if (isDraining()) own.connection = "close";
			outgoing.on("close", () => {
				// Not `writableFinished`: Node counts as written what it drops as it destroys a socket.
				const ended = incoming.socket.destroyed ? LEFT_STATUS : outgoing.statusCode;
				const status = current.cut ?? ended;
				const ms = Math.round((performance.now() - start) * 10) / 10;
				onFinished({ id, method, route: routeOf(url), status, ms });
			});
			const fault = faultOf(incoming);
			if (fault) {
				const { body, headers } = rawRefusal(fault.status, fault.sentence);
				outgoing.writeHead(fault.status, { ...own, ...headers }).end(body);
				return;
			}
			for (const name in own) outgoing.setHeader(name, own[name]!);
			void respond(incoming, outgoing);
		},

		/** Refuses what Node could not read, and ends the connection. */
		onUnreadable(error: NodeJS.ErrnoException, socket: Duplex): void {
			const { status, sentence } = unreadable[error.code ?? ""] ?? {
				status: 400,
				sentence: UNREADABLE,
			};
			const newest = latest.get(socket);
			// A response is done with "close", because only then has Node ended a connection that was to end.
			const current = newest?.outgoing.destroyed ? undefined : newest;
			if (current?.incoming.complete) {
				// A whole request gets its response first. Stops reading, because each further piece of an
				// unreadable request is another error, which costs time.
				socket.pause();
				current.outgoing.once("close", () => socket.destroy());
				return;
			}
			// The first error is the reason; the end of the connection is an error as well. Where a system
			// call failed, the connection broke: the visitor has left.
			if (current) current.cut ??= error.syscall === undefined ? status : LEFT_STATUS;
			// Sends nothing where the client is gone, or into the middle of a response.
			if (!socket.writable || current?.outgoing.headersSent) {
				socket.destroy();
				return;
			}
			const id = current?.id ?? randomUUID();
			const { body, headers } = rawRefusal(status, sentence);
			const lines = Object.entries({ ...headers, "x-request-id": id });
			const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join("");
			socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${head}\r\n${body}`);
			// Closes after a delay. Without it a client that keeps its side open would keep its place;
			// at once would be too soon, because data that the client still sends makes its system drop
			// the response unread.
			const gone = setTimeout(() => socket.destroy(), CUT_OFF_MS);
			socket.once("close", () => clearTimeout(gone));
			if (!current) onFinished({ id, method: "", route: "", status, ms: 0 });
		},
	};
}

/**
 * Why a request must be refused although Node could read it. Node also reads HTTP/0.9 and HTTP/2.0 as
 * if they were HTTP/1.1. In other cases a proxy before it may have read another request: Node takes
 * the first of several hosts, and a proxy perhaps the last (RFC 9112, 3.2). Node reads chunks in
 * HTTP/1.0, which does not have them, and keeps the connection (RFC 9112, 6.1). It would refuse a
 * missing host itself, but without a sentence.
 */
function faultOf({ headers, httpVersion, rawHeaders }: IncomingMessage): Fault | undefined {
	const isOld = httpVersion === "1.0";
	if (!isOld && httpVersion !== "1.1") {
		return { status: 505, sentence: "Only HTTP/1.0 and HTTP/1.1 can be used here." };
	}
	if (isOld && headers["transfer-encoding"] !== undefined) {
		return { status: 400, sentence: "HTTP/1.0 has no transfer encodings." };
	}
	if (headers.host === undefined) {
		return isOld ? undefined : { status: 400, sentence: "The request does not name its host." };
	}
	let hosts = 0;
	for (let n = 0; n < rawHeaders.length; n += 2) {
		const name = rawHeaders[n]!;
		if (name.length === 4 && name.toLowerCase() === "host") hosts += 1;
	}
	if (hosts > 1) return { status: 400, sentence: "The request names more than one host." };
	return undefined;
}

const named = new Set([
	...[JOIN_PATH, LETTER_PATH, UNSUBSCRIBE_PATH, INVITATION_PATH, REDEEM_PATH],
	...["/healthz", "/readyz"],
	...feedbackProviders.map(feedbackPath),
]);

/** The part of the server that a path belongs to. What follows in it may be a secret. */
function routeOfSite(url: string): string {
	if (named.has(url)) return url;
	const path = url.split("?", 1)[0]!;
	if (named.has(path)) return path;
	const [, part] = /^\/(api|confirm|leave)(?:\/|$)/.exec(path) ?? [];
	return part ? `/${part}/*` : "/*";
}

/** A response made without the app, on a connection that ends with it. */
function rawRefusal(status: number, error: string) {
	const { body, headers } = refusal(status, error, { connection: "close" });
	return { body, headers: { ...headers, "content-length": String(body.length) } };
}
