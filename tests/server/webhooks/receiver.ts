import { once } from "node:events";
import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";

export type WebhookMessage = {
	method: string;
	path: string;
	headers: IncomingHttpHeaders;
	body: string;
};

export type WebhookResponse = { status: number; headers?: Record<string, string>; body?: string };

/** Starts a webhook receiver. `n` counts earlier messages. */
export async function startWebhookReceiver(
	answer: (
		message: WebhookMessage,
		n: number,
	) => WebhookResponse | Promise<WebhookResponse> = () => ({ status: 204 }),
) {
	const received: WebhookMessage[] = [];
	const server = createServer(async (request, response) => {
		const chunks: Buffer[] = [];
		for await (const chunk of request) chunks.push(chunk);
		const { method = "", url: path = "", headers } = request;
		const message = { method, path, headers, body: Buffer.concat(chunks).toString() };
		received.push(message);
		const { status, headers: more, body } = await answer(message, received.length - 1);
		response.writeHead(status, more).end(body);
	});
	server.listen(0, "127.0.0.1");
	await once(server, "listening");
	onTestFinished(() => {
		server.close();
		server.closeAllConnections();
	});
	return { received, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook` };
}
