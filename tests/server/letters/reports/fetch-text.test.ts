import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, it, onTestFinished } from "vitest";
import { fetchText } from "../../../../src/server/letters/reports/fetch-text.ts";

const LIMITS = { mostBytes: 1000, timeoutMs: 30_000 };

async function serve(answer: RequestListener): Promise<string> {
	const server = createServer(answer).listen(0, "127.0.0.1");
	await once(server, "listening");
	onTestFinished(() => {
		server.closeAllConnections();
		server.close();
	});
	return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

it("fetches a small text", async () => {
	const url = await serve((_, response) => response.end("x".repeat(1000)));
	expect(await fetchText(url, LIMITS)).toBe("x".repeat(1000));
});

it.each([
	["a redirect", (response) => response.writeHead(302, { location: "http://127.0.0.1/" }).end()],
	["another answer", (response) => response.writeHead(404).end("no")],
	["too much", (response) => response.end("x".repeat(1001))],
	["too much without an end", (response) => response.write("x".repeat(1001))],
	["a connection that is cut", (response) => response.write("x", () => response.destroy())],
] satisfies [string, (response: Parameters<RequestListener>[1]) => unknown][])(
	"refuses %s",
	async (_, answer) => {
		const url = await serve((_, response) => void answer(response));
		await expect(fetchText(url, LIMITS)).rejects.toThrow();
	},
);

it("waits for nobody longer than it may", async () => {
	for (const silent of [() => {}, (_, response) => response.write("x")] as RequestListener[]) {
		const url = await serve(silent);
		await expect(fetchText(url, { ...LIMITS, timeoutMs: 100 })).rejects.toThrow();
	}
});
