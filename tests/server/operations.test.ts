import { request } from "node:http";
import { connect } from "node:net";
import { setTimeout as wait } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { JOIN_PATH } from "#shared/join.ts";
import { postEmail, startServer } from "../server-process.ts";
import { temporaryFolder } from "../temporary.ts";

describe("readiness", () => {
	it("ends with SIGTERM, before the server stops taking visitors", async () => {
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
		expect(server.reports().map(({ event }) => event)).toEqual(
			expect.arrayContaining(["stopping", "stopped"]),
		);
	});
});

describe("a stop", () => {
	it("cuts what does not end, and exits 0 within 10 s", async () => {
		const server = await startServer({ folder: await temporaryFolder() });
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
	}, 12_000);
});

describe("metrics", () => {
	it("are shown on a port of their own, on loopback only, without addresses", async () => {
		const server = await startServer({
			folder: await temporaryFolder(),
			env: {
				WAITLIST_METRICS_PORT: "0",
				HOST: "0.0.0.0",
				WAITLIST_ADDRESS_LIMIT: "3/1h",
				TRUSTED_PROXIES: "127.0.0.1",
			},
		});
		await expect.poll(() => server.reports("metrics shown")).toHaveLength(1);
		const url = /http:\S+/.exec(String(server.reports("metrics shown")[0]!.message))![0];
		for (const n of [1, 2, 2, 3]) {
			await postEmail(server.url, `visitor-${n}@example.com`, { "x-forwarded-for": "192.0.2.1" });
		}
		const text = await (await fetch(url)).text();
		expect(text).toMatch(/^waitlist_registrations_total\{outcome="registered"\} 2$/m);
		expect(text).toMatch(/^waitlist_registrations_total\{outcome="duplicate"\} 1$/m);
		expect(text).toMatch(/^waitlist_limited_total\{scope="address"\} 1$/m);
		expect(text).toMatch(/^waitlist_batch_rows_count 3$/m);
		expect(text).toMatch(/^waitlist_waiting_rows 0$/m);
		expect(text).toMatch(
			/^http_request_duration_seconds_count\{method="POST",route="\/api\/waitlist\/register",status="201"\} 2$/m,
		);
		expect(text).toMatch(/^process_resident_memory_bytes \d+/m);
		expect(text).not.toMatch(/@|192\.0\.2/);
		// Linux answers on every address of 127/8, so another one of them shows what is bound.
		const elsewhere = new URL(url);
		elsewhere.hostname = "127.0.0.2";
		await expect(fetch(elsewhere)).rejects.toThrow("fetch failed");
		expect((await fetch(new URL("/metrics", server.url))).status).toBe(404);
	});
});

/** Sends so many requests over one connection without waiting, and gives the statuses of the answers. */
async function askInARow(url: string, path: string, count: number): Promise<string[]> {
	const { hostname, port } = new URL(url);
	const socket = connect(Number(port), hostname);
	const ask = (more = "") => `GET ${path} HTTP/1.1\r\nhost: ${hostname}\r\n${more}\r\n`;
	socket.write(ask().repeat(count - 1) + ask("connection: close\r\n"));
	let answers = "";
	for await (const text of socket.setEncoding("latin1")) answers += text;
	return [...answers.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status!);
}

describe("the log", () => {
	it("that nobody reads keeps no visitor waiting, and tells how much was lost", async () => {
		const server = await startServer({ folder: await temporaryFolder() });
		// What nobody reads fills the pipe (some 1,500 lines), then the batch being written and the
		// lines waiting behind it, 20,000 each at most. Any more are lost, whatever the timing.
		server.process.stdout!.pause();
		const [connections, each] = [100, 500];
		const answers = await Promise.all(
			Array.from({ length: connections }, () => askInARow(server.url, "/healthz", each)),
		);
		const requests = connections * each;
		expect(answers.flat().filter((status) => status === "200")).toHaveLength(requests);
		server.process.stdout!.resume();
		await expect.poll(() => server.reports("log lines lost")).toHaveLength(1);
		const [{ lines }] = server.reports("log lines lost") as [{ lines: number }];
		expect(server.reports("request").length + lines).toBe(requests);
	});
});
