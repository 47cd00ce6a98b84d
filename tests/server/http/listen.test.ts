import type { IncomingMessage } from "node:http";
import { connect, type Socket } from "node:net";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { JOIN_PATH } from "#shared/join.ts";
import { listen } from "../../../src/server/http/listen.ts";
import { postEmail, type ServerProcess, startServer } from "../../server-process.ts";
import { temporaryFolder } from "../../temporary.ts";

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
			// A request without an end of its headers is none.
			.toEqual([200, 201, 499, 499]);
	});
});

it("a request that Node cannot parse gets a sentence in response", async () => {
	const server = await startServer({ folder: await temporaryFolder() });
	for (const [request, status] of [
		["TRACK / HTTP/1.1\r\nHost: localhost\r\n\r\n", 400],
		[`GET / HTTP/1.1\r\nX: ${"x".repeat(20_000)}\r\n\r\n`, 431],
		[head("Content-Length: 1\r\nContent-Length: 2\r\n\r\n{}"), 400],
		["GET / HTTP/1.1\r\n\r\n", 400],
	] as const) {
		const [lines, body] = (await drip(server, request, "")).split("\r\n\r\n");
		expect(lines, request.slice(0, 100)).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
		expect(JSON.parse(body!)).toEqual({ error: expect.stringMatching(/^[A-Z].*\.$/) });
	}
	// An expectation that it does not know is none of them.
	const expecting = "GET /healthz HTTP/1.1\r\nHost: localhost\r\nExpect: a-miracle\r\n";
	const received = await drip(server, `${expecting}Connection: close\r\n\r\n`, "");
	expect(received).toMatch(/^HTTP\/1\.1 200 /);
});

it("a connection in which nothing moves is cut off after 30 s, or as long as is set", async () => {
	const timeouts: unknown[] = [];
	const onFinished = vi.fn();
	const large = Buffer.alloc(64e6);
	const open = async (silence = {}) => {
		const responder = {
			fetch: () => new Response(large),
			isEncrypted: ({ socket }: IncomingMessage) => timeouts.push(socket.timeout) === 0,
			onFinished,
		};
		const server = await listen(responder, { host: "127.0.0.1", port: 0, ...silence });
		onTestFinished(() => server.close(0));
		return server;
	};
	await fetch((await open()).url, { method: "HEAD" });
	await expect.poll(() => onFinished.mock.calls).toMatchObject([[{ status: 200 }]]);
	const socket = openSocket(await open({ silenceMs: 500 })).pause();
	onTestFinished(() => void socket.destroy());
	socket.write("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n");
	await expect.poll(() => onFinished.mock.calls[1]).toMatchObject([{ status: 499 }]);
	expect(timeouts).toEqual([30_000, 500]);
});
