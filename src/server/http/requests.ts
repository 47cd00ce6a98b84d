import { randomUUID } from "node:crypto";
import { type IncomingMessage, type ServerResponse, STATUS_CODES } from "node:http";
import type { Duplex } from "node:stream";
import { getRequestListener } from "@hono/node-server";
import { INVITATION_PATH, REDEEM_PATH } from "#shared/invitation.ts";
import { JOIN_PATH } from "#shared/join.ts";
import { feedbackPath, feedbackProviders, LETTER_PATH, UNSUBSCRIBE_PATH } from "#shared/letters.ts";
import type { Arrival } from "./call.ts";
import { jsonHeaders, refusal } from "./responses.ts";

/** For log and metrics. Nothing in it was chosen by the sender. */
export interface FinishedRequest {
	id: string;
	method: string;
	/** The part of the server: a path could hold an address. */
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
	isDraining?: () => boolean;
}

/** Two years (RFC 6797), without subdomains: they may have no TLS. */
const STRICT_TRANSPORT_SECURITY = "max-age=63072000";

/** The sender left before the end of the response, as in nginx. */
const LEFT_STATUS = 499;

const CUT_OFF_MS = 500;

const UNREADABLE = "This request cannot be read.";

type Fault = readonly [status: number, sentence: string];

const unreadable: Record<string, Fault> = {
	ERR_HTTP_REQUEST_TIMEOUT: [408, "The request took too long."],
	HPE_HEADER_OVERFLOW: [431, "Request headers too large."],
};

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
			errorHandler: () => refusal(400, UNREADABLE),
		},
	);
	const latest = new WeakMap<Duplex, ServerResponse>();

	return {
		onRequest(incoming: IncomingMessage, outgoing: ServerResponse): void {
			const start = performance.now();
			const id = randomUUID();
			const { method = "", url = "" } = incoming;
			latest.set(incoming.socket, outgoing);
			outgoing.on("close", () => {
				// Not `writableFinished`: Node counts as written what it drops with a socket.
				const status = incoming.socket.destroyed ? LEFT_STATUS : outgoing.statusCode;
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
			const current = latest.get(socket);
			if (current?.headersSent && !current.destroyed) {
				current.once("close", () => socket.destroy());
				return;
			}
			if (!socket.writable) return void socket.destroy();
			const [status] = fault;
			const { body, headers } = rawRefusal(fault);
			const head = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
			socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${head.join("")}\r\n${body}`);
			// Closing at once would make a system drop the response whose client still sends.
			const gone = setTimeout(() => socket.destroy(), CUT_OFF_MS);
			socket.once("close", () => clearTimeout(gone));
		},
	};
}

/**
 * Refuses requests that a proxy may have read differently from Node: several hosts (RFC 9112, 3.2),
 * and chunks or versions that HTTP/1 does not have (RFC 9112, 6.1).
 */
function faultOf({ headers, httpVersion, rawHeaders }: IncomingMessage): Fault | undefined {
	const isOld = httpVersion === "1.0";
	if (!isOld && httpVersion !== "1.1") return [505, "Only HTTP/1.0 and HTTP/1.1 can be used here."];
	if (isOld && headers["transfer-encoding"] !== undefined) {
		return [400, "HTTP/1.0 has no transfer encodings."];
	}
	const hosts = rawHeaders.filter((name, n) => n % 2 === 0 && /^host$/i.test(name));
	if (hosts.length === 1 || (isOld && hosts.length === 0)) return undefined;
	return [400, "The request must name one host."];
}

const named = new Set([
	...[JOIN_PATH, LETTER_PATH, UNSUBSCRIBE_PATH, INVITATION_PATH, REDEEM_PATH],
	...["/healthz", "/readyz"],
	...feedbackProviders.map(feedbackPath),
]);

/** The rest of a path may be a secret. */
function routeOfSite(url: string): string {
	const path = url.split("?", 1)[0]!;
	if (named.has(path)) return path;
	const [, part] = /^\/(api|confirm|leave)(?:\/|$)/.exec(path) ?? [];
	return part ? `/${part}/*` : "/*";
}

function rawRefusal([, error]: Fault) {
	const body = JSON.stringify({ error });
	const length = String(body.length);
	return { body, headers: { ...jsonHeaders, connection: "close", "content-length": length } };
}
