import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { Network } from "../settings.ts";
import {
	type ClientScope,
	clientKeys,
	isLoopback,
	membership,
	plainAddress,
} from "./client-address.ts";

/** Connections at most. The service's limit of open files is above it (deploying/server.md, LimitNOFILE). */
export const MOST_CONNECTIONS = 10_000;

/**
 * Connections at most from one IPv4 address or one IPv6 /64. A browser holds up to six, for 5 s after
 * its last request, and a network behind one address has hundreds of visitors.
 */
export const MOST_BY_ADDRESS = 500;

/**
 * Connections at most from one IPv6 /48. A hoster's customer owns a /48, which has 65,536 /64s. A
 * /48 gets a tenth of all places, so it takes ten such customers to fill the server. The visitors
 * of a university may share a /48: they are refused only while a thousand of them wait for
 * responses, because idle connections make room.
 */
export const MOST_BY_NETWORK = 1000;

const mostBy: Readonly<Record<ClientScope, number>> = {
	address: MOST_BY_ADDRESS,
	network: MOST_BY_NETWORK,
};

/**
 * Requests on one connection that may wait for their responses, or come in one turn of the event
 * loop. Browsers and proxies send the next request after the response. Node would read on for as
 * long as the client sends: 64 kB of short requests are two thousand responses in memory. Answering
 * each request before the next one is parsed is not enough: 300 such connections then kept all
 * others waiting for two minutes.
 */
export const MOST_UNANSWERED = 8;

/** The least time between two reports of the same kind. */
const REPORT_MS = 60_000;

/** What happened at a limit of connections since the last report. */
export interface Crowding {
	/** Whose limit it is: one connection's, one client's, one network's, or that of all together. */
	scope: "connection" | ClientScope | "all";
	/** Connections closed because they were idle the longest. */
	idleClosed: number;
	/**
	 * Connections closed at once, because no other was idle. In the scope of one connection:
	 * connections cut for their requests.
	 */
	refused: number;
}

/** What bounds connections. */
export interface ConnectionSettings {
	/**
	 * Trusted proxies. They and this machine have no limit of their own, because many visitors
	 * share them.
	 */
	trustedProxies: readonly Network[];
	/** Connections at most. */
	most: number;
	/** Called at most once a minute for each scope. */
	onCrowded: (crowding: Crowding) => void;
}

/** The connections of one client or network, in the order in which they were opened or became idle. */
interface Share {
	scope: ClientScope;
	key: string;
	sockets: Set<Socket>;
}

/** An open connection. */
interface Place {
	/** Requests without a response, and those that had theirs in this turn of the event loop. */
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
	/** The connections of each share. */
	const shared = new Map<string, Set<Socket>>();
	const report = {
		connection: reporter("connection", onCrowded),
		address: reporter("address", onCrowded),
		network: reporter("network", onCrowded),
		all: reporter("all", onCrowded),
	};
	/** The connections of requests that were answered in this turn of the event loop. */
	let answered: Socket[] = [];

	/** Counts requests no more that were answered. */
	function forgetAnswered(): void {
		const sockets = answered;
		answered = [];
		for (const socket of sockets) {
			const place = places.get(socket);
			if (!place) continue;
			place.unanswered -= 1;
			if (place.unanswered === 0) place.rest();
		}
	}

	/** The shares that a connection is counted in: none where there is no limit. */
	function sharesOf(socket: Socket): Share[] {
		const address = plainAddress(socket.remoteAddress ?? "");
		if (address === undefined || isLoopback(address) || isTrusted(address)) return [];
		return clientKeys(address).map(([scope, key]) => {
			return { scope, key, sockets: shared.get(key) ?? new Set() };
		});
	}

	/** Takes a place, as one more of these shares. */
	function enter(socket: Socket, shares: readonly Share[]): void {
		for (const { key, sockets } of shares) shared.set(key, sockets.add(socket));
		const leave = () => {
			places.delete(socket);
			idle.delete(socket);
			for (const { key, sockets } of shares) {
				if (sockets.delete(socket) && sockets.size === 0) shared.delete(key);
			}
		};
		const rest = () => {
			idle.add(socket);
			// To the end: the first idle one of a share has been idle the longest.
			for (const { sockets } of shares) if (sockets.delete(socket)) sockets.add(socket);
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
		const shares = sharesOf(socket);
		const hasRoom =
			shares.every(
				({ scope, sockets }) => sockets.size < mostBy[scope] || makeRoom(scope, sockets),
			) &&
			(places.size < most || makeRoom("all", idle));
		if (hasRoom) enter(socket, shares);
		else socket.destroy();
	});

	// Counts attempts to open a tunnel, which Node would end without a word: this server is no proxy.
	server.on("connect", (_incoming, socket) => {
		socket.destroy();
		report.connection("refused");
	});

	return ({ socket }, outgoing) => {
		const place = places.get(socket);
		// Node passes on the rest of what it has read, also after the connection is gone.
		if (!place || socket.destroyed) return false;
		if (place.unanswered === MOST_UNANSWERED) {
			cutOff(socket);
			report.connection("refused");
			return false;
		}
		place.unanswered += 1;
		idle.delete(socket);
		// Without "once", which costs a wrapper: it is emitted once.
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
	const unlessProxy = `${happened} If it is your proxy, name it in TRUSTED_PROXIES.`;
	switch (scope) {
		case "connection":
			return `Connections that were cut: ${refused}. Each had more than ${MOST_UNANSWERED} requests that waited for responses, or asked for a tunnel (CONNECT).`;
		case "address":
			return `A client has all ${MOST_BY_ADDRESS} connections that one address or IPv6 /64 may have: ${unlessProxy}`;
		case "network":
			return `A network has all ${MOST_BY_NETWORK} connections that one IPv6 /48 may have: ${unlessProxy}`;
		case "all":
			return `All ${MOST_CONNECTIONS} connections are taken: ${happened}`;
	}
}
