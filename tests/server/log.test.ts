/** @module-tag slow */
import { connect } from "node:net";
import { describe, expect, it } from "vitest";
import { MOST_UNANSWERED } from "../../src/server/http/listen.ts";
import { startServer } from "../server-process.ts";
import { temporaryFolder } from "../temporary.ts";

/** Sends requests over one connection, as many at a time as may wait for responses. */
async function askInARow(url: string, path: string, count: number): Promise<string[]> {
	const { hostname, port } = new URL(url);
	const socket = connect(Number(port), hostname);
	const statuses: string[] = [];
	let sent = 0;
	const send = () => {
		const next = Math.min(MOST_UNANSWERED, count - sent);
		socket.write(`GET ${path} HTTP/1.1\r\nhost: ${hostname}\r\n\r\n`.repeat(next));
		sent += next;
	};
	send();
	let unread = "";
	for await (const text of socket.setEncoding("latin1")) {
		const lines = (unread + text).split("\r\n");
		unread = lines.pop()!;
		// A response without an end of line after its body runs into the next.
		for (const line of lines) {
			const status = /HTTP\/1\.1 (\d+)/.exec(line)?.[1];
			if (status) statuses.push(status);
		}
		if (statuses.length === count) socket.end();
		else if (statuses.length === sent) send();
	}
	return statuses;
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
