import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { networkInterfaces } from "node:os";
import { expect, it, type Mock, onTestFinished, vi } from "vitest";
import { MOST_BY_ADDRESS, MOST_CONNECTIONS } from "../../../src/server/http/connections.ts";
import { listen } from "../../../src/server/listen.ts";

const GET = "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n";
const SLOW = GET.replace("/", "/slow");

/** Opens a server that never answers `/slow`, and lets clients in, which go with the test. */
async function openDoor(host = "127.0.0.1", mostConnections = MOST_CONNECTIONS) {
	const onCrowded = vi.fn();
	const fetch = vi.fn(({ url }: Request) =>
		url.endsWith("/slow") ? new Promise<Response>(() => {}) : new Response("ok"),
	);
	const server = await listen({ fetch, onCrowded }, { host, port: 0, mostConnections });
	const clients: Socket[] = [];
	onTestFinished(async () => {
		for (const client of clients) client.destroy();
		await server.close(0);
	});
	async function enter(): Promise<Socket> {
		const client = connect(Number(new URL(server.url).port), host);
		clients.push(client);
		client.on("error", () => {});
		await once(client, "connect");
		return client.resume();
	}
	return { enter, fetch, reports: () => onCrowded.mock.calls.map(([report]) => report) };
}

/** Without `expect.poll`, which turns a clock that the test has stopped. */
async function isGone(client: Socket): Promise<void> {
	while (!client.destroyed) await new Promise(setImmediate);
}

const areAsked = async (fetch: Mock, times: number) => {
	while (fetch.mock.calls.length < times) await new Promise(setImmediate);
};

/**
 * An address of this machine that is not loopback: to the server, a client like any other. A machine
 * without a network has none.
 */
const outer = Object.values(networkInterfaces())
	.flatMap((addresses) => addresses ?? [])
	.find(({ internal, family }) => !internal && family === "IPv4")?.address;

it("eight requests of a connection may wait for their responses, and the ninth ends it", async () => {
	const { enter, fetch } = await openDoor();
	const client = await enter();
	client.write(SLOW.repeat(8));
	await areAsked(fetch, 8);
	expect(client.destroyed).toBe(false);
	client.write(SLOW);
	await isGone(client);
	expect(fetch).toHaveBeenCalledTimes(8);
});

it.each([
	["of all", "127.0.0.1", 3, 3] as const,
	...(outer ? [["of one client", outer, MOST_BY_ADDRESS, MOST_CONNECTIONS] as const] : []),
])(
	"the connection %s that was just used is the last to make room, the longest idle the first",
	async (_, host, places, mostConnections) => {
		const { enter, fetch } = await openDoor(host, mostConnections);
		const [used, idle] = [await enter(), await enter()];
		for (let n = 2; n < places; n++) await enter();
		used.write(GET);
		await once(used, "data");
		await enter();
		await isGone(idle);
		// It is still open, and answers.
		used.write(GET);
		await areAsked(fetch, 2);
	},
);

it("what happens at a limit is reported at once, and then its sum at most once a minute", async () => {
	const { enter, fetch, reports } = await openDoor("127.0.0.1", 2);
	vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
	onTestFinished(() => void vi.useRealTimers());
	const idle = [await enter(), await enter()];
	const busy = [await enter(), await enter()];
	for (const client of idle) await isGone(client);
	for (const client of busy) client.write(SLOW);
	await areAsked(fetch, 2);
	for (let n = 0; n < 3; n++) await isGone(await enter());
	const first = { scope: "all", idleClosed: 1, refused: 0 };
	vi.advanceTimersByTime(59_999);
	expect(reports()).toEqual([first]);
	vi.advanceTimersByTime(1);
	const second = { scope: "all", idleClosed: 1, refused: 3 };
	expect(reports()).toEqual([first, second]);
	// Nothing happened: nothing is reported, and what happens next is reported at once.
	vi.advanceTimersByTime(60_000);
	expect(reports()).toEqual([first, second]);
	await isGone(await enter());
	expect(reports()).toEqual([first, second, { scope: "all", idleClosed: 0, refused: 1 }]);
});
