import { once } from "node:events";
import { readdir, readFile, readlink } from "node:fs/promises";
import { type IncomingMessage, request } from "node:http";
import { connect, type Socket } from "node:net";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { JOIN_PATH } from "#shared/join.ts";
import { listen, MOST_UNANSWERED } from "../../../src/server/http/listen.ts";
import { readRows } from "../../read-rows.ts";
import { postEmail, type ServerProcess, startServer, stopServer } from "../../server-process.ts";
import { temporaryFolder } from "../../temporary.ts";
import { seed } from "../chance.ts";
import { createChance, makeHostile, sendHostile } from "./hostile.ts";

/** Clients with a connection each, which go with the test. */
function openClients(server: Pick<ServerProcess, "url">) {
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
				const socket = connect(port, "127.0.0.1");
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
/** Without a bound: 1,350 MB. With it, on a busy machine: 16 MB. */
const MOST_MB = 200;

describe("pipelined requests", () => {
	it(`of 100 connections that read no response take less than ${MOST_MB} MB`, async () => {
		const server = await startServer({ folder: await temporaryFolder() });
		await healthOf(server);
		const before = await memoryMb(server, "VmRSS");
		const clients = openClients(server);
		await clients.open(100);
		const pipelined = GET.repeat(Math.ceil(65_536 / GET.length));
		for (const socket of clients.sockets) socket.pause().write(pipelined);
		for (let n = 0; n < 20; n++) expect(await healthOf(server)).toBe(200);
		const grown = (await memoryMb(server, "VmHWM")) - before;
		expect(grown).toBeLessThan(MOST_MB);
		expect((await postEmail(server.url, "ada@example.com")).status).toBe(201);
		// One of the server, one of the visitor, and none of the hundred.
		await expect.poll(() => socketsOf(server)).toBeLessThan(20);
	});

	it("are answered as long as few of them wait, and cut where each is answered before the next one is parsed", async () => {
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
		const [many, tunnel] = [openClients(server), openClients(server)];
		await many.open(1, `${POST}{}`.repeat(500));
		many.sockets[0]!.resume();
		await expect.poll(many.closed).toBe(1);
		await tunnel.open(1, "CONNECT orbit.example:443 HTTP/1.1\r\nHost: orbit.example\r\n\r\n");
		await expect.poll(tunnel.closed).toBe(1);
		expect(await healthOf(server)).toBe(200);
		const joins = server.logged("request").filter(({ method }) => method === "POST");
		expect(joins.length).toBeLessThanOrEqual(MOST_UNANSWERED);
	});
});

it("connections beyond the limit are refused and reported, and those that are open are answered", async () => {
	const onFull = vi.fn();
	const fetch = () => new Response("ok");
	const settings = { host: "127.0.0.1", port: 0, mostConnections: 50 };
	const server = await listen({ fetch, onFull }, settings);
	onTestFinished(() => server.close(0));
	const open = openClients(server);
	await open.open(50);
	const more = openClients(server);
	await more.open(5);
	await expect.poll(more.closed).toBe(5);
	expect(onFull).toHaveBeenCalledTimes(5);
	open.sockets[0]!.write(GET);
	const [text] = await once(open.sockets[0]!.setEncoding("latin1"), "data");
	expect(text).toMatch(/^HTTP\/1\.1 200 OK/);
});

const REQUESTS = 50;
const STRANGERS = 50;
/** Joins that must be answered beside them, however slow the machine. */
const JOINS = 10;

it(`survives ${REQUESTS} hostile requests while a visitor joins (seed ${seed})`, async () => {
	const server = await startServer({ folder: await temporaryFolder() });
	const port = Number(new URL(server.url).port);
	const chance = createChance(seed);
	let joined = 0;
	const statuses = new Set<string>();
	let left = REQUESTS;
	const attack = async () => {
		while (left > 0 || joined < JOINS) {
			left -= 1;
			const received = await sendHostile(port, makeHostile(chance));
			statuses.add(/(?<=^HTTP\/1\.1 )\d+/.exec(received)?.[0] ?? "none");
		}
	};

	let attacked = false;
	const visitor = (async () => {
		while (!attacked) {
			const email = `visitor-${joined}@example.com`;
			expect((await postEmail(server.url, email)).status).toBe(201);
			joined += 1;
		}
	})();
	const before = await memoryMb(server, "VmRSS");
	await Promise.all(Array.from({ length: STRANGERS }, attack));
	attacked = true;
	await visitor;
	const growth = (await memoryMb(server, "VmRSS")) - before;
	expect([...statuses].filter((status) => status.startsWith("5"))).toEqual([]);
	expect(joined).toBeGreaterThanOrEqual(JOINS);
	expect(growth).toBeLessThan(50);
	const errors = server.logged().filter(({ level }) => level === "error");
	expect(errors.filter(({ event }) => event !== "proxy not trusted")).toEqual([]);
	const kept = new Set(readRows(server.file).map(({ email }) => email));
	for (let n = 0; n < joined; n++) expect(kept.has(`visitor-${n}@example.com`)).toBe(true);
	await stopServer(server);
});
