import { randomUUID } from "node:crypto";
import { type IncomingMessage, type ServerResponse, STATUS_CODES } from "node:http";
import type { Duplex } from "node:stream";
import { getRequestListener } from "@hono/node-server";
import { INVITATION_PATH, REDEEM_PATH } from "#shared/invitation.ts";
import { JOIN_PATH } from "#shared/join.ts";
import { feedbackPath, feedbackProviders, LETTER_PATH, UNSUBSCRIBE_PATH } from "#shared/letters.ts";
import type { Arrival } from "./call.ts";
import { refusal, responseOf } from "./responses.ts";

/** How a request went, for log and metrics. Nothing in it was chosen by its sender. */
export interface FinishedRequest {
	id: string;
	method: string;
	/** The part of the server it was for. Not the path, which could hold an address. */
	route: string;
	status: number;
	ms: number;
}

export interface Responder {
	fetch: (request: Request, arrival?: Arrival) => Response | Promise<Response>;
	onFinished?: (request: FinishedRequest) => void;
	isEncrypted?: (incoming: IncomingMessage) => boolean;
	onFull?: () => void;
	routeOf?: (url: string) => string;
	/** Whether the server is about to stop: responses then close the connection. */
	isDraining?: () => boolean;
}

/** Two years (RFC 6797). Whether all subdomains of the company have TLS is unknown. */
const STRICT_TRANSPORT_SECURITY = "max-age=63072000";

/** The sender left, or was cut off, before the end of the response: number and rule are nginx's. */
const LEFT_STATUS = 499;

/** How long a client whose request was refused as unreadable has to end the connection. */
const CUT_OFF_MS = 500;

const UNREADABLE = "This request cannot be read.";

type Fault = readonly [status: number, sentence: string];

const unreadable: Record<string, Fault> = {
	ERR_HTTP_REQUEST_TIMEOUT: [408, "The request took too long."],
	HPE_HEADER_OVERFLOW: [431, "Request headers too large."],
};

/** Every request gets an id, with which a visitor who reports a problem can name its line in the log. */
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
			// HTTP/1.0 has no Host header, and some health checks still use it.
			hostname: "localhost",
			errorHandler: () => responseOf(refusal(400, UNREADABLE)),
		},
	);
	/** The latest request of each connection, with the status that cut it short. */
	const latest = new WeakMap<
		Duplex,
		{ id: string; incoming: IncomingMessage; outgoing: ServerResponse; cut?: number }
	>();

	return {
		onRequest(incoming: IncomingMessage, outgoing: ServerResponse): void {
			const start = performance.now();
			const id = randomUUID();
			const { method = "", url = "" } = incoming;
			const current: ReturnType<typeof latest.get> = { id, incoming, outgoing };
			latest.set(incoming.socket, current);
			outgoing.on("close", () => {
				// Not `writableFinished`: Node counts as written what it drops with a socket.
				const ended = incoming.socket.destroyed ? LEFT_STATUS : outgoing.statusCode;
				const status = current.cut ?? ended;
				const ms = Math.round((performance.now() - start) * 10) / 10;
				onFinished({ id, method, route: routeOf(url), status, ms });
			});
			outgoing.setHeader("x-request-id", id);
			if (isEncrypted(incoming)) {
				outgoing.setHeader("strict-transport-security", STRICT_TRANSPORT_SECURITY);
			}
			// Otherwise a proxy may send the next request on a connection that is just being closed.
			if (isDraining()) outgoing.setHeader("connection", "close");
			const fault = faultOf(incoming);
			if (fault) {
				const { body, headers } = rawRefusal(fault);
				outgoing.writeHead(fault[0], headers).end(body);
			} else void respond(incoming, outgoing);
		},

		onUnreadable(error: NodeJS.ErrnoException, socket: Duplex): void {
			const fault = unreadable[error.code ?? ""] ?? [400, UNREADABLE];
			const newest = latest.get(socket);
			const current = newest?.outgoing.destroyed ? undefined : newest;
			if (current?.incoming.complete) {
				// A complete request gets its response first. Each further piece of an unreadable one is
				// another error, which costs time: stops reading.
				socket.pause();
				current.outgoing.once("close", () => socket.destroy());
				return;
			}
			// The first error is the reason; the end of the connection is an error as well. After a failed
			// system call the visitor has left.
			if (current) current.cut ??= error.syscall === undefined ? fault[0] : LEFT_STATUS;
			if (!socket.writable || current?.outgoing.headersSent) {
				socket.destroy();
				return;
			}
			const [status] = fault;
			const id = current?.id ?? randomUUID();
			const { body, headers } = rawRefusal(fault);
			const lines = Object.entries({ ...headers, "x-request-id": id });
			const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join("");
			socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${head}\r\n${body}`);
			// Closing at once would make a system drop the response whose client still sends; without
			// closing, a client that keeps its side open would keep its place.
			const gone = setTimeout(() => socket.destroy(), CUT_OFF_MS);
			socket.once("close", () => clearTimeout(gone));
			if (!current) onFinished({ id, method: "", route: "", status, ms: 0 });
		},
	};
}

/**
 * Refuses requests that a proxy in front may have read differently from Node: with several hosts Node
 * takes the first one, and a proxy perhaps the last (RFC 9112, 3.2); Node reads chunks in HTTP/1.0,
 * which does not have them (RFC 9112, 6.1), and HTTP/0.9 and HTTP/2.0 as if they were HTTP/1.1.
 */
function faultOf({ headers, httpVersion, rawHeaders }: IncomingMessage): Fault | undefined {
	const isOld = httpVersion === "1.0";
	if (!isOld && httpVersion !== "1.1") return [505, "Only HTTP/1.0 and HTTP/1.1 can be used here."];
	if (isOld && headers["transfer-encoding"] !== undefined) {
		return [400, "HTTP/1.0 has no transfer encodings."];
	}
	if (headers.host === undefined && !isOld) return [400, "The request does not name its host."];
	const hosts = rawHeaders.filter((name, n) => n % 2 === 0 && /^host$/i.test(name));
	return hosts.length > 1 ? [400, "The request names more than one host."] : undefined;
}

const named = new Set([
	...[JOIN_PATH, LETTER_PATH, UNSUBSCRIBE_PATH, INVITATION_PATH, REDEEM_PATH],
	...["/healthz", "/readyz"],
	...feedbackProviders.map(feedbackPath),
]);

/** The part of the server that a path belongs to. The rest of the path may be a secret. */
function routeOfSite(url: string): string {
	const path = url.split("?", 1)[0]!;
	if (named.has(path)) return path;
	const [, part] = /^\/(api|confirm|leave)(?:\/|$)/.exec(path) ?? [];
	return part ? `/${part}/*` : "/*";
}

function rawRefusal([status, error]: Fault) {
	const { body, headers } = refusal(status, error, { connection: "close" });
	return { body, headers: { ...headers, "content-length": String(body.length) } };
}
