import { connect } from "node:net";
import { describe, expect, it } from "vitest";
import { startServer } from "../server-process.ts";
import { temporaryFolder } from "../temporary.ts";

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
		await expect.poll(() => server.logged("log lines lost")).toHaveLength(1);
		const [{ lines }] = server.logged("log lines lost") as [{ lines: number }];
		expect(server.logged("request").length + lines).toBe(requests);
	});
});
