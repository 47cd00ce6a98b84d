import { readFile } from "node:fs/promises";
import { Agent, request } from "node:https";
import { connect } from "node:net";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { JOIN_PATH } from "#shared/join.ts";
import { findFreePort } from "../../../bench/harness/built-site.ts";
import { startDocumentedNginx } from "../../documented-nginx.ts";
import { type ServerProcess, startServer, stopServer } from "../../server-process.ts";
import { connectSocket } from "../http/sockets.ts";
import { createTestDatabase } from "../registrations/databases.ts";
import { startVisitors } from "../registrations/visitors.ts";

async function documentedNginx(...asked: Parameters<typeof startDocumentedNginx>) {
	const nginx = await startDocumentedNginx(...asked);
	onTestFinished(nginx.close);
	return nginx;
}

async function say(port: number, bytes: string): Promise<string> {
	const { socket, closed } = connectSocket({ url: `http://127.0.0.1:${port}` });
	socket.end(bytes);
	return closed;
}

it("the README's nginx never logs a visitor's IP address, on either port", async () => {
	let log = "";
	const { folder, httpPort, httpsPort } = await documentedNginx([await findFreePort()], {
		before(folder) {
			log = join(folder, "all-sites.log");
			// A founder may log at this level for all sites. Only `debug` is more verbose.
			return `error_log ${log} info;\n`;
		},
	});
	for (const port of [httpPort, httpsPort]) {
		const host = "Host: orbit.example\r\nConnection: close\r\n";
		expect(await say(port, `GET / HTTP/1.1\r\n${host}\r\n`)).toMatch(/^HTTP\/1.1 (?:301|400)/);
		expect(await say(port, "GET / HTTP/1.1\r\nHost: a/b\r\n\r\n")).toMatch(/ 400 /);
		const large = `POST / HTTP/1.1\r\n${host}Content-Length: 9999999\r\n\r\n`;
		expect(await say(port, large)).toMatch(/^HTTP/);
		await say(port, "\x16\x03nonsense");
	}
	expect((await readFile(log, "utf8")).match(/.*client.*/g) ?? []).toEqual([]);
	expect(await readFile(join(folder, "error.log"), "utf8")).not.toMatch(/client|127\.0\.0\.1/);
});

it("the README's nginx logs that its connections are used up, without IP addresses", async () => {
	const { folder, httpPort } = await documentedNginx([await findFreePort()], {
		workerConnections: 32,
	});
	const sockets = Array.from({ length: 60 }, () =>
		connect(httpPort, "127.0.0.1").on("error", () => {}),
	);
	onTestFinished(() => {
		for (const socket of sockets) socket.destroy();
	});
	const log = () => readFile(join(folder, "error.log"), "utf8");
	await expect.poll(log).toContain("worker_connections are not enough");
	expect(await log()).not.toMatch(/client|127\.0\.0\.1/);
});

const ROLLS = 3;
const VISITORS = 16;

it(`no visitor fails while two servers behind the README's nginx restart in turn, ${ROLLS} times`, {
	tags: "slow",
}, async () => {
	const { folder, env, emails } = await createTestDatabase("PostgreSQL");
	const ports = [await findFreePort(), await findFreePort()];
	const unlimited = { TRUSTED_PROXIES: "127.0.0.1", WAITLIST_ADDRESS_LIMIT: "0" };
	const start = (port: number): Promise<ServerProcess> =>
		startServer({ folder, env: { ...env, ...unlimited, PORT: String(port) } });
	const copies = await Promise.all(ports.map(start));
	const nginx = await documentedNginx(ports);
	const agent = new Agent({ keepAlive: true, ca: await readFile(nginx.certificate) });
	onTestFinished(() => agent.destroy());
	const ask = (method: string, path: string, body?: string) =>
		new Promise<number>((resolve, reject) => {
			const headers = body ? { "content-type": "application/json" } : {};
			request(
				{ agent, method, path, host: "localhost", port: nginx.httpsPort, headers },
				(response) => response.resume().once("end", () => resolve(response.statusCode!)),
			)
				.on("error", reject)
				.end(body);
		});
	const visitors = startVisitors("", VISITORS, "visitor", async (email) => {
		expect(await ask("GET", "/")).toBe(200);
		const status = await ask("POST", JOIN_PATH, JSON.stringify({ email }));
		// A 409 counts as a join: nginx repeated the request after the first server had stored the
		// address.
		return new Response(null, { status: status === 409 ? 201 : status });
	});
	for (let roll = 0; roll < ROLLS; roll++) {
		for (const [n, port] of ports.entries()) {
			await stopServer(copies[n]!);
			copies[n] = await start(port);
		}
	}
	await visitors.stop();
	expect([...visitors.statuses.keys()]).toEqual([201]);
	expect(visitors.acknowledged.length).toBeGreaterThan(10 * VISITORS);
	expect(await emails()).toEqual(new Set(visitors.acknowledged));
});
