/** @module-tag nodes */
import { once } from "node:events";
import { cp, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { JOIN_PATH } from "#shared/join.ts";
import { startMailServer } from "../../bench/harness/mail-server.ts";
import { readEmails } from "../given/given.ts";
import { readRegistrations } from "../read-rows.ts";
import { postJoin, type ServerProcess, spawnServer, startServer } from "../server-process.ts";
import { temporaryFolder } from "../temporary.ts";
import { forEachConcurrently } from "./for-each-concurrently.ts";
import { connectSocket } from "./http/sockets.ts";
import { mailSettingsFor } from "./waves/mail-setup.ts";

const POST = `POST ${JOIN_PATH} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n`;

async function beginJoin(server: ServerProcess, bytes: number) {
	const before = "GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n";
	const opened = connectSocket(server, `${before}${POST}Content-Length: ${bytes}\r\n\r\n`);
	await expect.poll(opened.received).toContain("HTTP/1.1 200");
	return opened;
}

it("the server logs plain sentences to a terminal", async () => {
	const server = await startServer({ folder: await temporaryFolder(), terminal: true });
	await expect
		.poll(server.output)
		.toBe(`Open ${server.url}\r\nAddresses are stored in ${server.file}\r\n`);
	await fetch(new URL("/healthz", server.url));
	await expect.poll(server.output).toMatch(/\nrequest \S+ GET \/healthz 200 [\d.]+\r\n$/);
});

it("the server logs its URL, and each request with id, status and time but no address", async () => {
	const server = await startServer({
		folder: await temporaryFolder(),
		env: { TRUSTED_PROXIES: "127.0.0.1" },
	});
	expect(server.logged()).toMatchObject([
		{ level: "info", event: "listening", message: `Open ${server.url}` },
		{ event: "waitlist open", message: `Addresses are stored in ${server.file}` },
	]);
	const join = await postJoin(server.url, "ada@example.com", { "x-forwarded-for": "192.0.2.77" });
	await fetch(new URL("/ada@example.com?email=ada@example.com", server.url));
	await fetch(new URL("/api/ada@example.com", server.url));
	await expect.poll(() => server.logged("request")).toHaveLength(3);
	expect(server.logged("request")).toMatchObject([
		{ method: "POST", route: JOIN_PATH, status: 201 },
		{ method: "GET", route: "/*", status: 404 },
		{ method: "GET", route: "/api/*", status: 404 },
	]);
	const [first] = server.logged("request");
	expect(first!.id).toBe(join.headers.get("x-request-id"));
	expect(first!.ms).toBeGreaterThan(0);
	expect(server.output()).not.toMatch(/@|192\.0\.2|127\.0\.0\.1/);
});

it("the server cuts off large bodies, and survives visitors who disconnect during a request", async () => {
	const server = await startServer({ folder: await temporaryFolder() });
	const piece = "x".repeat(1024);
	for (const [head, part] of [
		["Content-Length: 1000000000", piece],
		["Transfer-Encoding: chunked", `400\r\n${piece}\r\n`],
	]) {
		const received = await connectSocket(server, `${POST}${head}\r\n\r\n${part!.repeat(32)}`)
			.closed;
		expect(received).toMatch(/^HTTP\/1\.1 413 /);
		expect(received).toContain('{"error":"Request body too large."}');
	}
	for (let n = 0; n < 20; n++) {
		const { socket, closed } = connectSocket(server);
		socket.write(`${POST}Content-Length: 100\r\n\r\n{"em`, () => socket.resetAndDestroy());
		await closed;
	}
	expect((await postJoin(server.url, "ada@example.com")).status).toBe(201);
	expect(server.logged().filter(({ level }) => level === "error")).toEqual([]);
});

it("the start fails on a taken port with a sentence, after its threads have ended", async () => {
	const other = createServer().listen(0, "127.0.0.1");
	onTestFinished(() => void other.close());
	await once(other, "listening");
	const { port } = other.address() as { port: number };
	const server = spawnServer({ folder: await temporaryFolder(), env: { PORT: String(port) } });
	expect(await server.ended).toBe(1);
	expect(server.output()).toBe(
		`Port ${port} is taken by another program: stop it, or set PORT to a free one.\n`,
	);
});

it("the start fails if SQLite would not sync every commit", async () => {
	// Simulates a driver that ignores `PRAGMA synchronous = FULL`.
	const cache = await mkdtemp("node_modules/.cache/normal-");
	onTestFinished(() => rm(cache, { recursive: true }));
	const dist = join(process.cwd(), cache, "dist");
	await cp("dist", dist, { recursive: true });
	const assets = join(dist, "server/assets");
	let changed = 0;
	for (const name of await readdir(assets)) {
		const code = await readFile(join(assets, name), "utf8");
		const broken = code.replace("PRAGMA synchronous = FULL", "PRAGMA synchronous = NORMAL");
		if (broken !== code) changed += 1;
		await writeFile(join(assets, name), broken);
	}
	expect(changed).toBe(1);
	const main = join(dist, "server/main.js");
	const server = spawnServer({ folder: await temporaryFolder(), main });
	expect(await server.ended).toBe(1);
	expect(server.output()).toContain("its synchronous level is 1 instead of 2 (FULL)");
});

it("a stop finishes requests in flight, accepts no new ones, and exits 0", async () => {
	const server = await startServer({ folder: await temporaryFolder() });
	const body = JSON.stringify({ email: "ada@example.com" });
	const { socket, received } = await beginJoin(server, body.length);
	server.process.kill("SIGTERM");
	await expect.poll(() => fetch(server.url).catch(String)).toBe("TypeError: fetch failed");
	socket.write(body);
	expect(await server.ended).toBe(0);
	expect(received()).toContain("HTTP/1.1 201");
	expect(await readdir(join(server.file, ".."))).toEqual(["waitlist.db"]);
	expect(readRegistrations(server.file)).toHaveLength(1);
	expect(server.logged().map(({ event }) => event)).toEqual(
		expect.arrayContaining(["stopping", "stopped"]),
	);
});

// The server exits with 1 if a stop takes more than 10 s.
it("a stop cuts off endless requests and pending emails, and exits 0", async () => {
	const mailServer = await startMailServer({ answer: () => "silence" });
	onTestFinished(() => mailServer.stop());
	const folder = await temporaryFolder();
	const server = await startServer({ folder, env: mailSettingsFor(mailServer) });
	expect((await postJoin(server.url, "ada@example.com")).status).toBe(201);
	await expect.poll(() => readEmails(server)).toMatchObject([{ state: "sending" }]);
	const { closed } = await beginJoin(server, 100);
	server.process.kill("SIGTERM");
	server.process.kill("SIGINT");
	expect(await server.ended).toBe(0);
	await closed;
});

it("the log keeps no visitor waiting when nobody reads it, and counts the lines lost", {
	tags: "slow",
}, async () => {
	const server = await startServer({ folder: await temporaryFolder() });
	// The pipe holds about 1,500 lines, the pending write and the queue 20,000 each. All further
	// lines are lost.
	server.process.stdout!.pause();
	const requests = 50_000;
	await forEachConcurrently(Array(requests).fill("/healthz"), async (path) => {
		const response = await fetch(new URL(path, server.url));
		expect([response.status, await response.text()]).toEqual([200, '{"status":"ok"}']);
	});
	server.process.stdout!.resume();
	await expect.poll(() => server.logged("log lines lost")).toHaveLength(1);
	const [{ lines }] = server.logged("log lines lost") as [{ lines: number }];
	expect(server.logged("request").length + lines).toBe(requests);
});
