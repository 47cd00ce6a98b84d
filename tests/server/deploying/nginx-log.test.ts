import { readFile } from "node:fs/promises";
import { connect } from "node:net";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { freePort } from "../../../bench/harness/built-site.ts";
import { openSocket } from "../http/sockets.ts";
import { documentedNginx } from "./documented-nginx.ts";

async function say(port: number, bytes: string): Promise<string> {
	const { socket, closed } = openSocket({ url: `http://127.0.0.1:${port}` });
	socket.end(bytes);
	return closed;
}

it("the README's nginx writes no address of a visitor, by either port, whatever is sent", async () => {
	let log = "";
	const { folder, httpPort, httpsPort } = await documentedNginx([await freePort()], {
		before({ folder }) {
			log = join(folder, "all-sites.log");
			// What a machine may have set for all its sites: the most talkative level.
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

it("the README's nginx says that its connections are not enough, and names nobody", async () => {
	const { folder, httpPort } = await documentedNginx([await freePort()], {
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
