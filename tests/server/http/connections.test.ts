import { once } from "node:events";
import { readdir, readFile, readlink } from "node:fs/promises";
import { createServer, type IncomingMessage, request, type Server } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";
import { networkInterfaces } from "node:os";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { JOIN_PATH } from "#shared/join.ts";
import {
	boundConnections,
	MOST_BY_ADDRESS,
	MOST_BY_NETWORK,
	MOST_UNANSWERED,
} from "../../../src/server/http/connections.ts";
import { listen } from "../../../src/server/listen.ts";
import { postEmail, type ServerProcess, startServer } from "../../server-process.ts";
import { temporaryFolder } from "../../temporary.ts";

/**
 * An address of this machine that is not loopback: to the server, a client like any other. A machine
 * without a network has none.
 */
const outerAddress = Object.values(networkInterfaces())
	.flatMap((addresses) => addresses ?? [])
	.find(({ internal, family }) => !internal && family === "IPv4")?.address;

/** Clients with a connection each, which go with the test. */
function openClients(server: Pick<ServerProcess, "url">, host = "127.0.0.1") {
	const port = Number(new URL(server.url).port);
	const sockets: Socket[] = [];
	let closed = 0;
	onTestFinished(() => {
		for (const socket of sockets) socket.destroy();
	});
	return {
		sockets,
		closed: () => closed,
		async open(count: number, text = "") {
			for (let n = 0; n < count; n++) {
				const socket = connect({ port, host });
				sockets.push(socket);
				socket.on("error", () => {});
				socket.once("close", () => {
					closed += 1;
				});
				if (text) socket.write(text);
				if (n % 200 === 199 || n === count - 1) await once(socket, "connect");
			}
		},
	};
}

/** Lets a server of the test listen on a port of its own. */
async function listening(server: Server): Promise<AddressInfo> {
	await once(server.listen(0, "127.0.0.1"), "listening");
	onTestFinished(() => void server.close());
	return server.address() as AddressInfo;
}

async function memoryMb(server: ServerProcess, name: "VmRSS" | "VmHWM"): Promise<number> {
	const status = await readFile(`/proc/${server.process.pid}/status`, "utf8");
	return Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status)![1]) / 1024;
}

/** How many sockets the server's process holds. */
async function socketsOf(server: ServerProcess): Promise<number> {
	const folder = `/proc/${server.process.pid}/fd`;
	const links = await Promise.all(
		(await readdir(folder)).map((name) => readlink(`${folder}/${name}`).catch(() => "")),
	);
	return links.filter((link) => link.startsWith("socket:")).length;
}

/** The status of `/healthz`, on a new connection: a server that is busy for 5 s closes kept-alive ones. */
async function healthOf(server: ServerProcess): Promise<number> {
	const asked = request(new URL("/healthz", server.url), { agent: false }).end();
	const [response] = (await once(asked, "response")) as [IncomingMessage];
	response.resume();
	return response.statusCode!;
}

const GET = "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n";
const POST = `POST ${JOIN_PATH} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n`;
const halfABody = `POST ${JOIN_PATH} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{`;

/** Without a bound: 1,350 MB and 67 s. With it, on a busy machine: 16 MB and 0.3 s. */
const MOST_MB = 200;
const MOST_HEALTH_SECONDS = 20;

describe("pipelined requests", () => {
	it(`of 100 connections that read no response take less than ${MOST_MB} MB and ${MOST_HEALTH_SECONDS} s`, async () => {
		const server = await startServer({ folder: await temporaryFolder() });
		await healthOf(server);
		const before = await memoryMb(server, "VmRSS");
		const clients = openClients(server);
		await clients.open(100);
		const pipelined = GET.repeat(Math.ceil(65_536 / GET.length));
		for (const socket of clients.sockets) socket.pause().write(pipelined);
		let slowest = 0;
		for (let n = 0; n < 20; n++) {
			const began = performance.now();
			expect(await healthOf(server)).toBe(200);
			slowest = Math.max(slowest, (performance.now() - began) / 1000);
		}
		const grown = (await memoryMb(server, "VmHWM")) - before;
		console.log(`100 x 64 kB pipelined: ${grown.toFixed(0)} MB, /healthz ${slowest.toFixed(2)} s`);
		expect(grown).toBeLessThan(MOST_MB);
		expect(slowest).toBeLessThan(MOST_HEALTH_SECONDS);
		expect((await postEmail(server.url, "ada@example.com")).status).toBe(201);
		// One of the server, one of the visitor, and none of the hundred.
		await expect.poll(() => socketsOf(server)).toBeLessThan(20);
	});

	it("are not parsed any further once their connection is cut", async () => {
		const server = createServer();
		const mayRespond = boundConnections(server, {
			trustedProxies: [],
			most: 10_000,
			onCrowded: () => {},
		});
		let emitted = 0;
		const admitted: boolean[] = [];
		server.on("request", (incoming, outgoing) => {
			emitted += 1;
			admitted.push(mayRespond(incoming, outgoing));
		});
		const { port } = await listening(server);
		const clients = openClients({ url: `http://127.0.0.1:${port}` });
		await clients.open(1, GET.repeat(1000));
		await expect.poll(clients.closed).toBe(1);
		// The one more is the request for which the connection was cut.
		expect(emitted).toBe(MOST_UNANSWERED + 1);
		expect(admitted.filter(Boolean)).toHaveLength(MOST_UNANSWERED);
	});

	it("are cut also where each is answered before the next one is parsed", async () => {
		const server = await startServer({ folder: await temporaryFolder() });
		const clients = openClients(server);
		await clients.open(1, `${POST}{}`.repeat(500));
		clients.sockets[0]!.resume();
		await expect.poll(clients.closed).toBe(1);
		expect(await healthOf(server)).toBe(200);
		const joins = server.logged("request").filter(({ method }) => method === "POST");
		expect(joins.length).toBeLessThanOrEqual(MOST_UNANSWERED);
	});

	it("are answered as long as few of them wait", async () => {
		const server = await startServer({ folder: await temporaryFolder() });
		const clients = openClients(server);
		await clients.open(1);
		let received = "";
		clients.sockets[0]!.setEncoding("latin1").on("data", (text) => {
			received += text;
		});
		const answers = () => received.match(/HTTP\/1\.1 200 OK/g)?.length ?? 0;
		for (const times of [1, 2, 3]) {
			clients.sockets[0]!.write(GET.repeat(MOST_UNANSWERED));
			await expect.poll(answers).toBe(times * MOST_UNANSWERED);
		}
		expect(clients.closed()).toBe(0);
	});
});

describe.skipIf(!outerAddress)("the connections of one client", () => {
	const host = outerAddress!;

	it("are bounded: its idle ones make room for its new ones, and other visitors join", async () => {
		const server = await startServer({
			folder: await temporaryFolder(),
			env: { HOST: "0.0.0.0", WAITLIST_ADDRESS_LIMIT: "0" },
		});
		const clients = openClients(server, host);
		await clients.open(MOST_BY_ADDRESS + 100);
		await expect.poll(clients.closed).toBe(100);
		expect(clients.sockets.slice(0, 100).every((socket) => socket.destroyed)).toBe(true);

		for (const socket of clients.sockets) if (!socket.destroyed) socket.write(halfABody);
		await expect.poll(() => fetch(new URL("/healthz", server.url)).then(({ ok }) => ok)).toBe(true);
		await clients.open(20);
		await expect.poll(clients.closed).toBe(120);
		expect(clients.sockets.slice(-20).every((socket) => socket.destroyed)).toBe(true);
		expect((await postEmail(server.url, "ada@example.com")).status).toBe(201);
		expect(server.logged("too many connections")).toMatchObject([
			{ scope: "address", idleClosed: 1, refused: 0 },
		]);
		expect(server.output()).not.toContain(host);
	});

	it("are not bounded when it is a trusted proxy", async () => {
		const env = { HOST: "0.0.0.0", TRUSTED_PROXIES: "private" };
		if (!/^(10|172|192\.168)\./.test(host)) env.TRUSTED_PROXIES = host;
		const server = await startServer({ folder: await temporaryFolder(), env });
		const clients = openClients(server, host);
		await clients.open(MOST_BY_ADDRESS + 100);
		await expect.poll(() => socketsOf(server)).toBeGreaterThanOrEqual(MOST_BY_ADDRESS + 100);
		expect(clients.closed()).toBe(0);
	});
});

describe("the connections of one IPv6 /48", () => {
	it("are bounded, however many /64s it has, and other networks are served", async () => {
		const network = Array.from(
			{ length: MOST_BY_NETWORK + 50 },
			(_, n) => `2001:db8:7:${n.toString(16)}::1`,
		);
		const addresses = [...network, "2001:db8:8::1", "203.0.113.9"].values();
		const onCrowded = vi.fn();
		const server = createServer();
		// The connections are real; only their addresses are made up, because this machine has none of them.
		server.on("connection", (socket) => {
			Object.defineProperty(socket, "remoteAddress", { value: addresses.next().value });
		});
		const mayRespond = boundConnections(server, { trustedProxies: [], most: 10_000, onCrowded });
		server.on("request", (incoming, outgoing) => {
			if (mayRespond(incoming, outgoing)) outgoing.end("ok");
		});
		const { port } = await listening(server);
		const clients = openClients({ url: `http://127.0.0.1:${port}` });
		await clients.open(MOST_BY_NETWORK);
		expect(clients.closed()).toBe(0);
		await clients.open(50);
		await expect.poll(clients.closed).toBe(50);
		expect(clients.sockets.slice(0, 50).every(({ destroyed }) => destroyed)).toBe(true);
		expect(onCrowded.mock.calls).toEqual([[{ scope: "network", idleClosed: 1, refused: 0 }]]);

		const visitors = openClients({ url: `http://127.0.0.1:${port}` });
		await visitors.open(2, GET);
		for (const socket of visitors.sockets) {
			const [text] = await once(socket.setEncoding("latin1"), "data");
			expect(text).toMatch(/^HTTP\/1\.1 200 OK/);
		}
		expect(clients.closed()).toBe(50);
	});
});

describe("connections that are cut for what they asked", () => {
	it.each([
		["a ninth request that waits", GET.repeat(MOST_UNANSWERED + 1)],
		["CONNECT", "CONNECT orbit.example:443 HTTP/1.1\r\nHost: orbit.example\r\n\r\n"],
	])("are counted in one line of the log, not one each: %s", async (_, text) => {
		const server = await startServer({ folder: await temporaryFolder() });
		const clients = openClients(server);
		await clients.open(20, text);
		for (const socket of clients.sockets) socket.resume();
		await expect.poll(clients.closed).toBe(20);
		expect((await postEmail(server.url, "ada@example.com")).status).toBe(201);
		await expect
			.poll(() => server.logged("connections cut"))
			.toMatchObject([{ level: "info", scope: "connection", refused: 1 }]);
	});
});

describe("all connections together", () => {
	it("are bounded: those that are idle the longest make room for new visitors, which is reported once", async () => {
		const onCrowded = vi.fn();
		const fetch = ({ url }: Request) =>
			url.endsWith("/slow") ? new Promise<Response>(() => {}) : new Response("ok");
		const server = await listen(
			{ fetch, onCrowded },
			{ host: "127.0.0.1", port: 0, mostConnections: 50 },
		);
		onTestFinished(() => server.close(0));
		const silent = openClients(server);
		await silent.open(30);
		const busy = openClients(server);
		await busy.open(20, GET.replace("/", "/slow"));
		expect(onCrowded).not.toHaveBeenCalled();
		const visitors = openClients(server);
		await visitors.open(20, GET);
		await expect.poll(silent.closed).toBe(20);
		expect(silent.sockets.slice(0, 20).every(({ destroyed }) => destroyed)).toBe(true);
		for (const socket of visitors.sockets) {
			const [text] = await once(socket.setEncoding("latin1"), "data");
			expect(text).toMatch(/^HTTP\/1\.1 200 OK/);
		}
		expect(busy.closed() + visitors.closed()).toBe(0);
		expect(onCrowded.mock.calls).toEqual([[{ scope: "all", idleClosed: 1, refused: 0 }]]);
		// Nobody who is being served has to go.
		const more = openClients(server);
		await more.open(31, GET.replace("/", "/slow"));
		await expect.poll(more.closed).toBe(1);
		expect(busy.closed()).toBe(0);
	});
});

describe("a client that is cut off", () => {
	it("has no place any more, though it keeps silent", { tags: "slow" }, async () => {
		const server = await startServer({ folder: await temporaryFolder() });
		const before = await socketsOf(server);
		const { port } = new URL(server.url);
		const socket = connect({ port: Number(port), host: "127.0.0.1", allowHalfOpen: true });
		onTestFinished(() => void socket.destroy());
		socket.on("error", () => {});
		let received = "";
		socket.setEncoding("latin1").on("data", (text) => {
			received += text;
		});
		socket.write(halfABody);
		await expect.poll(() => received).toMatch(/^HTTP\/1\.1 408 /);
		// 0.5 s; with a client that does not end its side, Node would wait for 30 s.
		await expect.poll(() => socketsOf(server)).toBe(before);
	});
});
