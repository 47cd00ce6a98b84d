import { once } from "node:events";
import { readdir, readFile, readlink } from "node:fs/promises";
import { type IncomingMessage, request } from "node:http";
import { expect, it, onTestFinished, vi } from "vitest";
import { JOIN_PATH } from "#shared/join.ts";
import { listen, MOST_PIPELINED } from "../../../src/server/http/listen.ts";
import { readRegistrations } from "../../read-rows.ts";
import { postJoin, type ServerProcess, startServer, stopServer } from "../../server-process.ts";
import { temporaryFolder } from "../../temporary.ts";
import { randomSeed } from "../random-fractions.ts";
import { createRandomPicker, makeHostileRequest, sendHostileRequest } from "./hostile.ts";
import { connectSocket } from "./sockets.ts";

async function openClients(server: { url: string }, count: number, text = "") {
	const opened = Array.from({ length: count }, () => connectSocket(server, text));
	let closed = 0;
	for (const client of opened) void client.closed.then(() => (closed += 1));
	const sockets = opened.map(({ socket }) => socket);
	onTestFinished(() => {
		for (const socket of sockets) socket.destroy();
	});
	await once(sockets.at(-1)!, "connect");
	return { sockets, received: opened[0]!.received, closed: () => closed };
}

async function memoryMb(server: ServerProcess, name: "VmRSS" | "VmHWM"): Promise<number> {
	const status = await readFile(`/proc/${server.process.pid}/status`, "utf8");
	return Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status)![1]) / 1024;
}

async function socketsOf(server: ServerProcess): Promise<number> {
	const folder = `/proc/${server.process.pid}/fd`;
	const links = await Promise.all(
		(await readdir(folder)).map((name) => readlink(`${folder}/${name}`).catch(() => "")),
	);
	return links.filter((link) => link.startsWith("socket:")).length;
}

/** Uses a new connection, because a server that was busy for 5 s closes idle ones. */
async function healthOf(server: ServerProcess): Promise<number> {
	const asked = request(new URL("/healthz", server.url), { agent: false }).end();
	const [response] = (await once(asked, "response")) as [IncomingMessage];
	response.resume();
	return response.statusCode!;
}

const GET = "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n";
const POST = `POST ${JOIN_PATH} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n`;
/** Measured on a busy machine: 16 MB, and 1,350 MB without the connection limit. */
const MOST_MB = 200;

it(`pipelined requests of 100 connections that read no response take less than ${MOST_MB} MB`, async () => {
	const server = await startServer({ folder: await temporaryFolder() });
	await healthOf(server);
	const before = await memoryMb(server, "VmRSS");
	const clients = await openClients(server, 100);
	const pipelined = GET.repeat(Math.ceil(65_536 / GET.length));
	for (const socket of clients.sockets) socket.pause().write(pipelined);
	for (let n = 0; n < 20; n++) expect(await healthOf(server)).toBe(200);
	const grown = (await memoryMb(server, "VmHWM")) - before;
	expect(grown).toBeLessThan(MOST_MB);
	expect((await postJoin(server.url, "ada@example.com")).status).toBe(201);
	await expect.poll(() => socketsOf(server)).toBeLessThan(20);
});

it("pipelined requests get responses while few of them wait, even if each is answered before the next is parsed", async () => {
	const server = await startServer({ folder: await temporaryFolder() });
	const clients = await openClients(server, 1);
	const answers = () => clients.received().match(/HTTP\/1\.1 200 OK/g)?.length ?? 0;
	for (const times of [1, 2, 3]) {
		clients.sockets[0]!.write(GET.repeat(MOST_PIPELINED));
		await expect.poll(answers).toBe(times * MOST_PIPELINED);
	}
	expect(clients.closed()).toBe(0);
	const tunnel = "CONNECT orbit.example:443 HTTP/1.1\r\nHost: orbit.example\r\n\r\n";
	for (const text of [`${POST}{}`.repeat(500), tunnel]) {
		await expect.poll((await openClients(server, 1, text)).closed).toBe(1);
	}
	expect(await healthOf(server)).toBe(200);
	const joins = server.logged("request").filter(({ method }) => method === "POST");
	expect(joins.length).toBeLessThanOrEqual(MOST_PIPELINED);
});

it("connections beyond the limit are refused and logged, and open ones still get responses", async () => {
	const onFull = vi.fn();
	const fetch = () => new Response("ok");
	const settings = { host: "127.0.0.1", port: 0, mostConnections: 50 };
	const server = await listen({ fetch, onFull }, settings);
	onTestFinished(() => server.close(0));
	const open = await openClients(server, 50);
	const more = await openClients(server, 5);
	await expect.poll(more.closed).toBe(5);
	expect(onFull).toHaveBeenCalledTimes(5);
	open.sockets[0]!.write(GET);
	await expect.poll(open.received).toMatch(/^HTTP\/1\.1 200 OK/);
});

const REQUESTS = 50;
const STRANGERS = 50;
const JOINS = 10;

it(`survives ${REQUESTS} hostile requests while a visitor joins (seed ${randomSeed})`, async () => {
	const server = await startServer({ folder: await temporaryFolder() });
	const port = Number(new URL(server.url).port);
	const chance = createRandomPicker(randomSeed);
	let joined = 0;
	const statuses = new Set<string>();
	let left = REQUESTS;
	const attack = async () => {
		while (left > 0 || joined < JOINS) {
			left -= 1;
			const received = await sendHostileRequest(port, makeHostileRequest(chance));
			statuses.add(/(?<=^HTTP\/1\.1 )\d+/.exec(received)?.[0] ?? "none");
		}
	};

	let attacked = false;
	const visitor = (async () => {
		while (!attacked) {
			const email = `visitor-${joined}@example.com`;
			expect((await postJoin(server.url, email)).status).toBe(201);
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
	const kept = new Set(readRegistrations(server.file).map(({ email }) => email));
	for (let n = 0; n < joined; n++) expect(kept.has(`visitor-${n}@example.com`)).toBe(true);
	await stopServer(server);
});
