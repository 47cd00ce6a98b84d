import { randomUUID } from "node:crypto";
import {
	createServer,
	type IncomingMessage,
	type Server,
	type ServerResponse,
	STATUS_CODES,
} from "node:http";
import type { AddressInfo, Socket } from "node:net";
import type { Duplex } from "node:stream";
import { getRequestListener } from "@hono/node-server";
import { INVITATION_PATH, REDEEM_PATH } from "#shared/invitation.ts";
import { JOIN_PATH } from "#shared/join.ts";
import { feedbackPath, feedbackProviders, NEW_LINK_PATH, UNSUBSCRIBE_PATH } from "#shared/links.ts";
import type { PeerAndRequestId } from "./call.ts";
import { errorReply, jsonHeaders } from "./responses.ts";

/** Goes to log and metrics, so it must not contain visitor input. */
export interface FinishedRequest {
	id: string;
	method: string;
	/** Route pattern, because the path may contain an address or a secret. */
	route: string;
	status: number;
	ms: number;
}

export interface Responder {
	fetch: (request: Request, arrival?: PeerAndRequestId) => Response | Promise<Response>;
	onFinished?: (request: FinishedRequest) => void;
	isEncrypted?: (incoming: IncomingMessage) => boolean;
	onFull?: () => void;
	routeOf?: (url: string) => string;
	isDraining?: () => boolean;
}

interface ListenSettings {
	host: string;
	port: number;
	mostConnections?: number;
	/** Idle timeout of a connection, including the wait for a response. */
	silenceMs?: number;
	portSetting?: string;
}

/** Below the open file limit (deploying/server.md, LimitNOFILE). */
export const MOST_CONNECTIONS = 10_000;

/** Maximum pipelined requests. Without a limit, 100 connections took 1,350 MB. Browsers and proxies do not pipeline. */
export const MOST_PIPELINED = 8;

/** Listens with stricter limits than Node's, which allow slow bodies for five minutes and unlimited connections. */
export async function listen(responder: Responder, settings: ListenSettings) {
	const { host, port, portSetting = "PORT", silenceMs = 30_000 } = settings;
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
		// Node still emits parsed requests after the connection is gone.
		if (socket.destroyed) return;
		const waiting = unanswered.get(socket) ?? 0;
		if (waiting === MOST_PIPELINED) {
			// A destroyed socket's parser keeps running. Returning 2 (undocumented) stops it.
			const { parser } = socket as Socket & { parser?: { onIncoming: unknown } | null };
			if (parser) parser.onIncoming = () => 2;
			socket.destroy();
			return;
		}
		unanswered.set(socket, waiting + 1);
		// Counts down in the next event loop turn. Otherwise fast responses would let one turn parse any number of requests.
		const answered = () => unanswered.set(socket, unanswered.get(socket)! - 1);
		outgoing.once("close", () => setImmediate(answered));
		onRequest(incoming, outgoing);
	};
	server.on("request", onBoundRequest);
	// Ignores unknown `Expect` headers (RFC 9110, 10.1.1).
	server.on("checkExpectation", onBoundRequest);
	server.on("clientError", onUnreadable);
	server.on("drop", () => responder.onFull?.());
	server.maxConnections = settings.mostConnections ?? MOST_CONNECTIONS;
	// 0 means unlimited. Node would drop headers over a limit, possibly the proxy's X-Forwarded-For.
	server.maxHeadersCount = 0;
	server.timeout = silenceMs;

	await new Promise<void>((resolve, reject) => {
		server.once("error", (error: NodeJS.ErrnoException) => {
			reject(new Error(sentenceFor(error, host, port, portSetting), { cause: error }));
		});
		server.listen(port, host, resolve);
	});
	return { url: urlOf(server, host), close: (graceMs: number) => close(server, graceMs) };
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

function urlOf(server: Server, host: string): string {
	const { port } = server.address() as AddressInfo;
	if (["127.0.0.1", "::1", "0.0.0.0", "::"].includes(host)) return `http://localhost:${port}`;
	return `http://${host.includes(":") ? `[${host}]` : host}:${port}`;
}

async function close(server: Server, graceMs: number): Promise<void> {
	const closed = new Promise((resolve) => server.close(resolve));
	// Polls, because Node emits no event when a kept-alive connection becomes idle.
	const idle = setInterval(() => server.closeIdleConnections(), 50);
	const grace = setTimeout(() => server.closeAllConnections(), graceMs);
	await closed;
	clearInterval(idle);
	clearTimeout(grace);
}

const UNREADABLE = "Malformed request.";

type Fault = readonly [status: number, sentence: string];

const unreadable: Record<string, Fault> = {
	ERR_HTTP_REQUEST_TIMEOUT: [408, "Request timed out."],
	HPE_HEADER_OVERFLOW: [431, "Request headers too large."],
};

function requestListeners({
	fetch,
	onFinished = () => {},
	isEncrypted = ({ headers }) => headers["x-forwarded-proto"] === "https",
	isDraining = () => false,
	routeOf = routeOfSite,
}: Responder) {
	const respond = getRequestListener(
		(request, { incoming, outgoing }) => {
			const requestId = outgoing.getHeader("x-request-id") as string;
			return fetch(request, { peer: incoming.socket.remoteAddress, requestId });
		},
		{
			// Some health checks still use HTTP/1.0, which has no Host header.
			hostname: "localhost",
			errorHandler: () => errorReply(400, UNREADABLE),
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
				// 499, as in nginx, if the client disconnected.
				const status = incoming.socket.destroyed ? 499 : outgoing.statusCode;
				const ms = Math.round((performance.now() - start) * 10) / 10;
				onFinished({ id, method, route: routeOf(url), status, ms });
			});
			outgoing.setHeader("x-request-id", id);
			// Excludes subdomains, which may lack TLS. Browsers ignore this header on plain HTTP.
			if (isEncrypted(incoming))
				outgoing.setHeader("strict-transport-security", "max-age=63072000");
			// Keeps a proxy from sending its next request on a closing connection.
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
			// Lets the response to a complete request finish. Without the pause, each further chunk would cause an error.
			if (current && !current.destroyed && (current.headersSent || current.req.complete)) {
				socket.pause();
				current.once("close", () => socket.destroy());
				return;
			}
			if (!socket.writable) return void socket.destroy();
			const [status] = fault;
			const { body, headers } = rawRefusal(fault);
			const head = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
			socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${head.join("")}\r\n${body}`);
			// Closing immediately could discard the response if the client is still sending.
			const gone = setTimeout(() => socket.destroy(), 500);
			socket.once("close", () => clearTimeout(gone));
		},
	};
}

/** Refuses requests that a proxy may parse differently from Node (RFC 9112, 3.2 and 6.1). */
function faultOf({ headers, httpVersion, rawHeaders }: IncomingMessage): Fault | undefined {
	const isOld = httpVersion === "1.0";
	if (httpVersion !== "1.1" && headers["transfer-encoding"] !== undefined) {
		return [400, "Only HTTP/1.1 has Transfer-Encoding."];
	}
	const hosts = rawHeaders.filter((name, n) => n % 2 === 0 && /^host$/i.test(name));
	if (hosts.length === 1 || (isOld && hosts.length === 0)) return undefined;
	return [400, "The request must have exactly one Host header."];
}

const named = new Set([
	...[JOIN_PATH, NEW_LINK_PATH, UNSUBSCRIBE_PATH, INVITATION_PATH, REDEEM_PATH],
	...["/healthz", "/readyz"],
	...feedbackProviders.map(feedbackPath),
]);

function routeOfSite(url: string): string {
	const path = url.split("?", 1)[0]!;
	if (named.has(path)) return path;
	const [, part] = /^\/(api|confirm|unsubscribe)(?:\/|$)/.exec(path) ?? [];
	return part ? `/${part}/*` : "/*";
}

function rawRefusal([, error]: Fault) {
	const body = JSON.stringify({ error });
	const length = String(body.length);
	return { body, headers: { ...jsonHeaders, connection: "close", "content-length": length } };
}
