import { cp, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { request } from "node:http";
import { createServer, connect as openSocket } from "node:net";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { describe, expect, it, onTestFinished } from "vitest";
import { JOIN_PATH } from "#shared/join.ts";
import { startMailServer } from "../../bench/harness/mail-server.ts";
import { connect, readRows } from "../read-rows.ts";
import { postEmail, spawnServer, startServer } from "../server-process.ts";
import { temporaryFolder } from "../temporary.ts";
import { lettersBy } from "./waitlist/with-letters.ts";

describe("the server", () => {
	it("logs where it listens and where the addresses are kept", async () => {
		const folder = await temporaryFolder();
		const server = await startServer({ folder });
		expect(server.logged()).toMatchObject([
			{ level: "info", event: "listening", message: `Open ${server.url}` },
			{ event: "waitlist open", message: `Addresses are kept in ${server.file}` },
		]);
		const page = await fetch(server.url);
		expect(page.status).toBe(200);
		expect(await page.text()).toContain("<h1");
	});

	it("logs plain sentences to a terminal", async () => {
		const server = await startServer({ folder: await temporaryFolder(), terminal: true });
		await expect
			.poll(server.output)
			.toBe(`Open ${server.url}\r\nAddresses are kept in ${server.file}\r\n`);
		await fetch(new URL("/healthz", server.url));
		await expect.poll(server.output).toMatch(/\nrequest \S+ GET \/healthz 200 [\d.]+\r\n$/);
	});

	it("logs each request with its id, status and time, and no address", async () => {
		const server = await startServer({
			folder: await temporaryFolder(),
			env: { TRUSTED_PROXIES: "127.0.0.1" },
		});
		const join = await postEmail(server.url, "ada@example.com", {
			"x-forwarded-for": "192.0.2.77",
		});
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

	it("finishes requests in flight at SIGTERM, accepts no new ones, and exits 0", async () => {
		const server = await startServer({ folder: await temporaryFolder() });
		const body = JSON.stringify({ email: "ada@example.com" });
		const answered = new Promise<number | undefined>((resolve, reject) => {
			const inFlight = request(
				new URL(JOIN_PATH, server.url),
				{
					method: "POST",
					headers: { "content-type": "application/json", "content-length": body.length },
				},
				(response) => resolve(response.resume().statusCode),
			);
			inFlight.on("error", reject).write(body.slice(0, 5));
			void (async () => {
				await wait(200);
				server.process.kill("SIGTERM");
				await wait(200);
				await expect(fetch(server.url)).rejects.toThrow("fetch failed");
				inFlight.end(body.slice(5));
			})().catch(reject);
		});
		expect(await answered).toBe(201);
		expect(await server.ended).toBe(0);
		expect(await readdir(join(server.file, ".."))).toEqual(["waitlist.db"]);
		expect(readRows(server.file)).toHaveLength(1);
	});
});

describe("the start", () => {
	it("fails on a taken port, in one sentence, once its threads have ended", async () => {
		const other = createServer().listen(0, "127.0.0.1");
		onTestFinished(() => void other.close());
		await new Promise((resolve) => other.once("listening", resolve));
		const { port } = other.address() as { port: number };
		const starts = await Promise.all(
			Array.from({ length: 4 }, async () =>
				spawnServer({ folder: await temporaryFolder(), env: { PORT: String(port) } }),
			),
		);
		for (const server of starts) {
			expect(await server.ended).toBe(1);
			expect(server.output()).toBe(
				`Port ${port} is taken by another program: stop it, or set PORT to a free one.\n`,
			);
		}
	});

	it("fails on wrong settings, with one sentence for each", async () => {
		const server = spawnServer({
			folder: await temporaryFolder(),
			env: { PORT: "x", DATABASE_URL: "file:" },
		});
		expect(await server.ended).toBe(1);
		expect(server.output().split("\n")).toEqual([
			expect.stringMatching(/^PORT must be/),
			expect.stringMatching(/^DATABASE_URL must/),
			"",
		]);
	});

	it("fails when SQLite would not sync every commit", async () => {
		// The built product with one word changed acts like a driver that ignores the setting.
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

		const server = spawnServer({
			folder: await temporaryFolder(),
			main: join(dist, "server/main.js"),
		});
		expect(await server.ended).toBe(1);
		expect(server.output()).toContain("its synchronous level is 1 instead of 2 (FULL)");
	});
});

describe("readiness", () => {
	it("ends at SIGTERM, before the server stops accepting connections", async () => {
		const server = await startServer({
			folder: await temporaryFolder(),
			env: { WAITLIST_DRAIN_SECONDS: "2" },
		});
		const ready = async () => (await fetch(new URL("/readyz", server.url))).status;
		expect(await ready()).toBe(200);
		server.process.kill("SIGTERM");
		await expect.poll(ready).toBe(503);
		expect((await postEmail(server.url, "ada@example.com")).status).toBe(201);
		expect((await fetch(new URL("/healthz", server.url))).status).toBe(200);
		expect(await server.ended).toBe(0);
		expect(server.logged().map(({ event }) => event)).toEqual(
			expect.arrayContaining(["stopping", "stopped"]),
		);
	});
});

describe("a stop", () => {
	// After 10 s it would be 1.
	it("cuts off requests that do not end and letters under way, and exits 0", async () => {
		const mailServer = await startMailServer({ answer: () => "silence" });
		onTestFinished(() => mailServer.stop());
		const server = await startServer({
			folder: await temporaryFolder(),
			env: lettersBy(mailServer),
		});
		expect((await postEmail(server.url, "ada@example.com")).status).toBe(201);
		const reader = connect(server.file);
		onTestFinished(() => reader.close());
		const letter = reader.prepare("SELECT state FROM letter");
		await expect.poll(() => letter.get()).toEqual({ state: "sending" });
		const cut = new Promise((resolve) => {
			const endless = request(new URL(JOIN_PATH, server.url), {
				method: "POST",
				headers: { "content-type": "application/json", "content-length": 100 },
			});
			endless.on("error", resolve).write("{");
		});
		await wait(100);
		server.process.kill("SIGTERM");
		server.process.kill("SIGINT");
		expect(await server.ended).toBe(0);
		await cut;
	});
});

describe("the server in trouble", () => {
	it.each(["with a length", "without one"])("cuts off a large body %s", async (kind) => {
		const server = await startServer({ folder: await temporaryFolder() });
		const { hostname, port } = new URL(server.url);
		const socket = openSocket(Number(port), hostname);
		let received = "";
		socket.setEncoding("utf8").on("data", (text) => {
			received += text;
		});
		socket.on("error", () => {});
		const closed = new Promise((resolve) => socket.once("close", resolve));
		socket.write(
			`POST ${JOIN_PATH} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n` +
				(kind === "with a length"
					? "Content-Length: 1000000000\r\n\r\n"
					: "Transfer-Encoding: chunked\r\n\r\n"),
		);
		const piece = "x".repeat(1024);
		const drip = setInterval(() => {
			socket.write(kind === "with a length" ? piece : `400\r\n${piece}\r\n`);
		}, 5);
		await closed;
		clearInterval(drip);
		expect(received).toMatch(/^HTTP\/1\.1 413 /);
		expect(received).toContain('{"error":"This is more than a registration needs."}');
		expect((await postEmail(server.url, "ada@example.com")).status).toBe(201);
	});

	it("survives visitors who leave in the middle of a request", async () => {
		const server = await startServer({ folder: await temporaryFolder() });
		const { hostname, port } = new URL(server.url);
		for (let n = 0; n < 20; n++) {
			const socket = openSocket(Number(port), hostname);
			socket.write(
				`POST ${JOIN_PATH} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{"em`,
				() => socket.resetAndDestroy(),
			);
			await new Promise((resolve) => socket.once("close", resolve));
		}
		expect((await postEmail(server.url, "ada@example.com")).status).toBe(201);
		expect(server.logged().filter(({ level }) => level === "error")).toEqual([]);
	});
});
