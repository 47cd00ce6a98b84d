import type { IncomingMessage } from "node:http";
import { expect, it, onTestFinished, vi } from "vitest";
import { JOIN_PATH } from "#shared/join.ts";
import { listen } from "../../../src/server/http/listen.ts";
import { readRegistrations } from "../../read-rows.ts";
import { postJoin, type ServerProcess, startServer } from "../../server-process.ts";
import { sharedSite } from "../../shared.ts";
import { temporaryFolder } from "../../temporary.ts";
import { connectSocket } from "./sockets.ts";

const headLines = (lines: readonly string[]) => `${lines.join("\r\n")}\r\n\r\n`;

const send = (server: { url: string }, lines: readonly string[], body = "") =>
	connectSocket(server, headLines(lines) + body).closed;

const GET = "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n";

const joinLines = [
	`POST ${JOIN_PATH} HTTP/1.1`,
	"Host: localhost",
	"Connection: close",
	"Content-Type: application/json",
];

it("limits by a trusted proxy's header, even after 140 other headers", async () => {
	const env = { TRUSTED_PROXIES: "127.0.0.1", WAITLIST_ADDRESS_LIMIT: "1/1h" };
	const server = await startServer({ folder: await temporaryFolder(), env });
	const others = Array.from({ length: 140 }, (_, n) => `X-Other-${n}: x`);
	for (let n = 0; n < 3; n++) {
		const body = JSON.stringify({ email: `visitor-${n}@example.com` });
		const length = `Content-Length: ${body.length}`;
		const head = [...joinLines, length, ...others, "X-Forwarded-For: 203.0.113.77"];
		expect(await send(server, head, body)).toMatch(/^HTTP\/1\.1 201/);
	}
	await expect.poll(() => server.logged("burst")).toHaveLength(1);
	await postJoin(server.url, "ada@example.com", { "x-forwarded-for": "203.0.113.78" });
	expect(readRegistrations(server.file).map(({ flag }) => flag)).toEqual([
		"",
		"burst",
		"burst",
		"",
	]);
});

it("refuses Transfer-Encoding outside HTTP/1.1, and closes the connection against request smuggling", async () => {
	const [, , , type] = joinLines;
	const lines = [`POST ${JOIN_PATH} HTTP/1.0`, "Connection: keep-alive", type!];
	const next = "GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";
	const sent = [...lines, "Transfer-Encoding: chunked"];
	const received = await send(await sharedSite(), sent, `2\r\n{}\r\n0\r\n\r\n${next}`);
	expect(received.match(/HTTP\/1\.1 \d+/g)).toEqual(["HTTP/1.1 400"]);
	expect(received).toMatch(/\{"error":"Only HTTP\/1\.1 has Transfer-Encoding\."\}$/);
});

it("a request that cannot be served is refused with a sentence, and its connection ends", async () => {
	const server = await startServer({ folder: await temporaryFolder() });
	const [start, ...headers] = joinLines;
	const join = (start: string, ...more: string[]) => `${headLines([start, ...headers, ...more])}{}`;
	const length = "Content-Length: 2";
	const host = [400, "The request must have exactly one Host header."] as const;
	const unreadable = [400, "Malformed request."] as const;
	for (const [request, [status, error]] of [
		["GET / HTTP/1.0\r\nHost: a.example\r\nHOST: b.example\r\n\r\n", host],
		[join(start!, "Host: localhost", length), host],
		["GET / HTTP/1.1\r\n\r\n", host],
		["GET /healthz\r\n\r\n", host],
		[GET.replace("GET", "TRACK"), unreadable],
		[join(start!, length, "Content-Length: 1"), unreadable],
		[`GET / HTTP/1.1\r\nX: ${"x".repeat(20_000)}\r\n\r\n`, [431, "Request headers too large."]],
	] as const) {
		const received = await connectSocket(server, request).closed;
		const statuses = received.match(/(?<=HTTP\/1\.1 )\d+/g);
		expect([request.slice(0, 100), statuses]).toEqual([request.slice(0, 100), [`${status}`]]);
		expect(received.split("\r\n\r\n")[1]).toBe(JSON.stringify({ error }));
	}
});

it("every response has nosniff, and pages and redirects to them have a security policy", async () => {
	const { url } = await sharedSite();
	const ask = (path: string) =>
		fetch(new URL(path, url), { redirect: "manual", headers: { accept: "text/html" } });
	const page = await ask("/privacy");
	const policies = [...page.headers].filter(([name]) => /policy|options|rules/.test(name));
	expect(policies.length).toBeGreaterThan(5);
	for (const [path, status, isPage] of [
		["/", 200],
		["/no/such/page", 404],
		["/privacy/", 308, true],
		["/index.html", 308, true],
		[JOIN_PATH, 405],
		["/healthz", 200],
		["/api/nothing", 404],
		["/mark.svg", 200],
	] as const) {
		const response = await ask(path);
		expect([path, response.status]).toEqual([path, status]);
		expect(response.headers.get("x-content-type-options")).toBe("nosniff");
		if (isPage) expect([...response.headers]).toEqual(expect.arrayContaining(policies));
	}
});

const head = (more: string) =>
	`POST ${JOIN_PATH} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n${more}`;

/** Sends `start`, then `byte` every second, until the server closes the connection. Returns the response. */
async function drip(server: ServerProcess, start: string, byte = ""): Promise<string> {
	const { socket, closed } = connectSocket(server, start);
	const dripping = setInterval(() => byte && socket.write(byte), 1000);
	return closed.finally(() => clearInterval(dripping));
}

it("a request that never ends times out, whatever part is missing, while a visitor joins", {
	tags: "slow",
}, async () => {
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
		postJoin(server.url, "ada@example.com").then(({ status }) => expect(status).toBe(201)),
	]);
	// listen.ts sets timeouts of 5 s (idle), 10 s (headers) and 15 s (whole request). With Node's
	// defaults of 5, 60 and 300 s this test would time out.
	expect(over).toEqual(["idle", "headers", "headers", "body", "body"]);
	for (const slow of [headers, body, chunks]) {
		expect(slow).toMatch(/^HTTP\/1\.1 408 .*"Request timed out\."\}$/s);
	}
	expect(idle).toMatch(/^HTTP\/1\.1 200 /);
	await expect
		.poll(() =>
			server
				.logged("request")
				.map(({ status }) => status)
				.toSorted(),
		)
		.toEqual([200, 201, 499, 499]);
});

it("an idle connection is closed after 30 s, or after a given time", async () => {
	const timeouts: unknown[] = [];
	const onFinished = vi.fn();
	// Exceeds the socket buffers of client and server.
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
	const { socket } = connectSocket(await open({ silenceMs: 500 }), GET);
	socket.pause();
	onTestFinished(() => void socket.destroy());
	await expect.poll(() => onFinished.mock.calls[1]).toMatchObject([{ status: 499 }]);
	expect(timeouts).toEqual([30_000, 500]);
});

it("sends HSTS behind a proxy with TLS", async () => {
	const { url } = await sharedSite();
	for (const path of ["/", "/mark.svg", "/healthz", "/api/nothing", "/no/such/page"]) {
		for (const [proto, sent] of [
			["https", "max-age=63072000"],
			["http", null],
		] as const) {
			const headers = { "x-forwarded-proto": proto };
			const response = await fetch(new URL(path, url), { headers });
			expect(response.headers.get("strict-transport-security")).toBe(sent);
		}
	}
});
