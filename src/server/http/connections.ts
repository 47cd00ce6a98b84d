import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { Network } from "../settings.ts";
import { clientKey, isLoopback, membership, plainAddress } from "./client-address.ts";

/** Connections at most. The service's limit of open files is above it (README.md, LimitNOFILE). */
export const MOST_CONNECTIONS = 10_000;

/**
 * Connections at most from one IPv4 address or one IPv6 /64. A browser holds up to six, for 5 s after
 * its last request, and a network behind one address has hundreds of visitors.
 */
export const MOST_BY_ADDRESS = 500;

/**
 * Requests on one connection that may wait for their responses. Browsers and proxies send the next
 * request after the response. Node would read on for as long as the client sends: 64 kB of short
 * requests are two thousand responses in memory.
 */
export const MOST_UNANSWERED = 8;

/** The least time between two reports of the same kind. */
const REPORT_MS = 60_000;

/** What happened at a limit of connections since the last report. */
export interface Crowding {
	/** Whose limit it is: one client's, or that of all together. */
	scope: "address" | "all";
	/** Connections closed because they were idle the longest. */
	idleClosed: number;
	/** New connections closed at once, because no other was idle. */
	refused: number;
}

/** What bounds connections. */
export interface ConnectionSettings {
	/** These, and this machine, have no limit of their own: many visitors come by them. */
	trustedProxies: readonly Network[];
	/** Connections at most. */
	most: number;
	/** Called at most once a minute for each scope. */
	onCrowded: (crowding: Crowding) => void;
}

/** An open connection. */
interface Place {
	/** Requests without a response. */
	unanswered: number;
	/** Has nothing to answer any more. */
	rest(): void;
	/** Frees the place. */
	leave(): void;
}

/**
 * Bounds the connections of a server, and what each may leave unanswered. A new visitor is served even
 * when all places are taken: the connection that has had no request to answer for the longest time
 * makes room.
 *
 * @returns whether a request may be answered; otherwise its connection is gone
 */
export function boundConnections(
	server: Server,
	{ trustedProxies, most, onCrowded }: ConnectionSettings,
): (incoming: IncomingMessage, outgoing: ServerResponse) => boolean {
	const isTrusted = membership(trustedProxies);
	const places = new Map<Socket, Place>();
	/** Connections with nothing to answer, the longest idle first. */
	const idle = new Set<Socket>();
	/** Connections by client, in the order in which they were opened or became idle. */
	const clients = new Map<string, Set<Socket>>();
	const report = {
		address: reporter("address", onCrowded),
		all: reporter("all", onCrowded),
	};

	/** The key under which a connection is counted; undefined where there is no limit. */
	function keyOf(socket: Socket): string | undefined {
		const address = plainAddress(socket.remoteAddress ?? "");
		if (address === undefined || isLoopback(address) || isTrusted(address)) return undefined;
		return clientKey(address);
	}

	/** Takes a place, as one more of a client's if it is counted. */
	function enter(socket: Socket, key: string | undefined): void {
		const own = key === undefined ? undefined : (clients.get(key) ?? new Set<Socket>());
		if (key !== undefined && own) clients.set(key, own.add(socket));
		const leave = () => {
			places.delete(socket);
			idle.delete(socket);
			if (key !== undefined && own?.delete(socket) && own.size === 0) clients.delete(key);
		};
		const rest = () => {
			idle.add(socket);
			// To the end: the first idle one of a client has been idle the longest.
			if (own?.delete(socket)) own.add(socket);
		};
		places.set(socket, { unanswered: 0, rest, leave });
		rest();
		socket.once("close", leave);
	}

	/** Closes the first idle one of these connections, if there is one. */
	function makeRoom(scope: Crowding["scope"], connections: Iterable<Socket>): boolean {
		for (const socket of connections) {
			if (!idle.has(socket)) continue;
			socket.destroy();
			// The event "close" comes later.
			places.get(socket)?.leave();
			report[scope]("idleClosed");
			return true;
		}
		report[scope]("refused");
		return false;
	}

	server.on("connection", (socket: Socket) => {
		const key = keyOf(socket);
		const own = key === undefined ? undefined : clients.get(key);
		const hasRoom =
			(!own || own.size < MOST_BY_ADDRESS || makeRoom("address", own)) &&
			(places.size < most || makeRoom("all", idle));
		if (hasRoom) enter(socket, key);
		else socket.destroy();
	});

	return ({ socket }, outgoing) => {
		const place = places.get(socket);
		// Node passes on the rest of what it has read, also after the connection is gone.
		if (!place || socket.destroyed) return false;
		if (place.unanswered === MOST_UNANSWERED) {
			cutOff(socket);
			return false;
		}
		place.unanswered += 1;
		idle.delete(socket);
		outgoing.once("close", () => {
			place.unanswered -= 1;
			if (place.unanswered === 0 && places.has(socket)) place.rest();
		});
		return true;
	};
}

/**
 * Ends a connection with many unread requests. When it closes, Node makes an error for each of them,
 * with a stack trace that nobody reads: 100 connections with 64 kB of requests each kept the server
 * busy for 6.3 s with these traces and for 1.3 s without.
 */
function cutOff(socket: Socket): void {
	const { stackTraceLimit } = Error;
	socket.prependOnceListener("close", () => {
		Error.stackTraceLimit = 0;
	});
	socket.once("close", () => {
		Error.stackTraceLimit = stackTraceLimit;
	});
	socket.destroy();
}

/** Gathers what happens, and reports it at most once in {@link REPORT_MS}: the first time at once. */
function reporter(scope: Crowding["scope"], onCrowded: ConnectionSettings["onCrowded"]) {
	const none = { scope, idleClosed: 0, refused: 0 };
	let since = { ...none };
	let pause: NodeJS.Timeout | undefined;

	function report(): void {
		pause = undefined;
		if (since.idleClosed + since.refused === 0) return;
		onCrowded(since);
		since = { ...none };
		pause = setTimeout(report, REPORT_MS).unref();
	}

	return (what: "idleClosed" | "refused") => {
		since[what] += 1;
		if (pause === undefined) report();
	};
}

/** Says to the operator what happened. */
export function crowdingAsText({ scope, idleClosed, refused }: Crowding): string {
	const happened = `${idleClosed} idle ones were closed to make room, and ${refused} new ones refused.`;
	return scope === "all"
		? `All ${MOST_CONNECTIONS} connections are taken: ${happened}`
		: `A client has all ${MOST_BY_ADDRESS} connections that one address or IPv6 /64 may have: ${happened} If it is your proxy, name it in TRUSTED_PROXIES.`;
}
