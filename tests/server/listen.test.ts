import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { JOIN_PATH } from "#shared/join.ts";
import { listen } from "../../src/server/listen.ts";
import { postEmail, type ServerProcess, startServer } from "../server-process.ts";
import { temporaryFolder } from "../temporary.ts";

const head = (more: string) =>
	`POST ${JOIN_PATH} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n${more}`;

function openSocket(server: Pick<ServerProcess, "url">): Socket {
	const { hostname, port } = new URL(server.url);
	const socket = connect(Number(port), hostname);
	socket.on("error", () => {});
	return socket;
}

/** Sends a start and then a byte a second, until the server ends the connection. Gives the response. */
async function drip(server: ServerProcess, start: string, byte: string): Promise<string> {
	const socket = openSocket(server);
	let received = "";
	socket.setEncoding("utf8").on("data", (text) => {
		received += text;
	});
	socket.write(start);
	const dripping = setInterval(() => byte && socket.write(byte), 1000);
	await new Promise((resolve) => socket.once("close", resolve));
	clearInterval(dripping);
	return received;
}

describe("a request that never ends", () => {
	it("is cut off, whatever part is missing, while a visitor joins", { tags: "slow" }, async () => {
		const server = await startServer({ folder: await temporaryFolder() });
		const over: string[] = [];
		const cut = async (what: string, start: string, byte: string) => {
			const received = await drip(server, start, byte);
			over.push(what);
			return received;
		};
		const [headers, body, chunks, , idle] = await Promise.all([
			cut("headers", head("X-Slow: "), "x"),
			cut("body", head("Content-Length: 1000\r\n\r\n{"), "x"),
			cut("body", head("Transfer-Encoding: chunked\r\n\r\n"), "1\r\nx\r\n"),
			cut("headers", "", ""),
			cut("idle", "GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n", ""),
			postEmail(server.url, "ada@example.com").then(({ status }) => expect(status).toBe(201)),
		]);
		// The limits of listen.ts: 5 s between requests, 10 s for headers, 15 s for a whole request.
		// Those of Node itself would be 5, 60 and 300 s: longer than this test may take.
		expect(over).toEqual(["idle", "headers", "headers", "body", "body"]);
		for (const slow of [headers, body, chunks]) {
			expect(slow).toMatch(/^HTTP\/1\.1 408 .*"The request took too long\."\}$/s);
		}
		expect(idle).toMatch(/^HTTP\/1\.1 200 /);
		await expect
			.poll(() =>
				server
					.logged("request")
					.map(({ status }) => status)
					.toSorted(),
			)
			.toEqual([200, 201, 408, 408, 408, 408]);
	});
});

it("a request that Node cannot parse gets a sentence in response", async () => {
	const server = await startServer({ folder: await temporaryFolder() });
	for (const [request, status] of [
		["TRACK / HTTP/1.1\r\nHost: localhost\r\n\r\n", 400],
		["\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n", 400],
		[`GET / HTTP/1.1\r\nX: ${"x".repeat(20_000)}\r\n\r\n`, 431],
		[head("Content-Length: 1\r\nContent-Length: 2\r\n\r\n{}"), 400],
		[head("Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n"), 400],
		["GET / HTTP/1.1\r\n\r\n", 400],
	] as const) {
		const [lines, body] = (await drip(server, request, "")).split("\r\n\r\n");
		expect(lines, request.slice(0, 100)).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
		expect(lines).toMatch(/^x-request-id: [0-9a-f-]{36}$/im);
		expect(JSON.parse(body!)).toEqual({ error: expect.stringMatching(/^[A-Z].*\.$/) });
	}
	// An expectation that it does not know is none of them.
	const expecting = "GET /healthz HTTP/1.1\r\nHost: localhost\r\nExpect: a-miracle\r\n";
	const received = await drip(server, `${expecting}Connection: close\r\n\r\n`, "");
	expect(received).toMatch(/^HTTP\/1\.1 200 /);
});

describe("a client that reads nothing of its response", () => {
	it.each([
		["30 s, as any connection has in which nothing moves", {}, 30_000],
		["as long as the office works on a wave of a million", { silenceMs: 3_600_000 }, 3_600_000],
	])("has %s", async (_, silence, expected) => {
		const timeouts: unknown[] = [];
		const server = await listen(
			{
				fetch: () => new Response("ok"),
				isEncrypted: ({ socket }) => timeouts.push(socket.timeout) === 0,
			},
			{ host: "127.0.0.1", port: 0, ...silence },
		);
		onTestFinished(() => server.close(0));
		await fetch(server.url);
		expect(timeouts).toEqual([expected]);
	});

	it("is cut off after that", { tags: "slow" }, async () => {
		const onFinished = vi.fn();
		const large = Buffer.alloc(64e6);
		const server = await listen(
			{ fetch: () => new Response(large), onFinished },
			{ host: "127.0.0.1", port: 0 },
		);
		onTestFinished(() => server.close(0));
		const socket = openSocket(server).pause();
		onTestFinished(() => void socket.destroy());
		socket.write("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n");
		// Twice: in the first 30 s the systems' buffers took something.
		await expect.poll(() => onFinished.mock.calls).toMatchObject([[{ status: 499 }]]);
	});
});

it("connections are capped at 10,000, and a visitor is served once some have closed", {
	tags: "slow",
}, async () => {
	const server = await startServer({ folder: await temporaryFolder() });
	const sockets = new Set<Socket>();
	onTestFinished(() => {
		for (const socket of sockets) socket.destroy();
	});
	let dropped = 0;
	for (let n = 0; n < 10_100; n++) {
		const socket = openSocket(server);
		sockets.add(socket);
		socket.once("close", () => {
			dropped += 1;
		});
		if (n % 500 === 0) await once(socket, "connect");
	}
	await expect.poll(() => dropped).toBeGreaterThanOrEqual(100);
	for (const socket of sockets) socket.destroy();
	await expect
		.poll(async () => (await postEmail(server.url, "ada@example.com")).status)
		.toBeLessThan(500);
});
