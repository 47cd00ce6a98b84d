import { connect } from "node:net";
import { describe, expect, it } from "vitest";
import { startServer } from "../server-process.ts";
import { temporaryFolder } from "../temporary.ts";

/** Sends requests over one connection without waiting. Gives the statuses of the responses. */
async function askInARow(url: string, path: string, count: number): Promise<string[]> {
	const { hostname, port } = new URL(url);
	const socket = connect(Number(port), hostname);
	const ask = (more = "") => `GET ${path} HTTP/1.1\r\nhost: ${hostname}\r\n${more}\r\n`;
	socket.write(ask().repeat(count - 1) + ask("connection: close\r\n"));
	let responses = "";
	for await (const text of socket.setEncoding("latin1")) responses += text;
	return [...responses.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status!);
}

describe("the log", () => {
	it("keeps no visitor waiting when nobody reads it, and counts the lines lost", async () => {
		const server = await startServer({ folder: await temporaryFolder() });
		// Unread lines fill the pipe (about 1,500), then the write under way and the lines waiting
		// behind it, 20,000 each at most. All lines beyond that are lost, whatever the timing.
		server.process.stdout!.pause();
		const [connections, each] = [100, 500];
		const responses = await Promise.all(
			Array.from({ length: connections }, () => askInARow(server.url, "/healthz", each)),
		);
		const requests = connections * each;
		expect(responses.flat().filter((status) => status === "200")).toHaveLength(requests);
		server.process.stdout!.resume();
		await expect.poll(() => server.logged("log lines lost")).toHaveLength(1);
		const [{ lines }] = server.logged("log lines lost") as [{ lines: number }];
		expect(server.logged("request").length + lines).toBe(requests);
	});
});
