import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, it, onTestFinished } from "vitest";
import { freePort } from "../../../bench/harness/built-site.ts";
import { redeem } from "../../../src/server/waves/client.ts";

const secrets = {
	key: "a-key-of-the-product",
	code: "7G2K-M0QX-1F9D-W8ZR",
	email: "ada@example.com",
};

/** A waitlist that answers as it is told. Gives its origin and what it was asked. */
async function answering(answer: (response: ServerResponse, origin: string) => void) {
	const asked: { url: string | undefined; headers: IncomingMessage["headers"]; body: string }[] =
		[];
	const server = createServer(async (request, response) => {
		const body = Buffer.concat(await request.toArray()).toString();
		asked.push({ url: request.url, headers: request.headers, body });
		answer(response, origin);
	});
	server.listen(0, "127.0.0.1");
	await once(server, "listening");
	onTestFinished(() => {
		server.closeAllConnections();
		server.close();
	});
	const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
	return { origin, asked };
}

/** The answer of a waitlist that says this. */
async function answerOf(status: number, body: unknown) {
	const { origin } = await answering((response) => {
		response.writeHead(status).end(typeof body === "string" ? body : JSON.stringify(body));
	});
	return redeem({ origin, ...secrets });
}

const redeemed = {
	status: "redeemed",
	email: "Ada@example.com",
	joinedAt: "2026-11-01T09:00:00.000Z",
	source: "landing-page",
	confirmedAt: null,
	invitedAt: "2026-11-20T09:00:00.000Z",
	redeemedAt: "2026-11-22T09:00:00.000Z",
	wave: "beta-1",
};

describe("the client", () => {
	it("sends code and address as JSON, and the key in a header", async () => {
		const { origin, asked } = await answering((response) => response.end(JSON.stringify(redeemed)));
		expect(await redeem({ origin, ...secrets })).toEqual(redeemed);
		expect(asked).toMatchObject([
			{
				url: "/api/invitations/redeem",
				headers: { authorization: `Bearer ${secrets.key}`, "content-type": "application/json" },
			},
		]);
		expect(JSON.parse(asked[0]!.body)).toEqual({ code: secrets.code, email: secrets.email });
	});

	it("reads each answer of the waitlist", async () => {
		for (const [status, answer] of [
			[200, { ...redeemed, confirmedAt: "2026-11-02T09:00:00.000Z" }],
			[404, { status: "unknown" }],
			[409, { status: "used", redeemedAt: "2026-11-22T09:00:00.000Z" }],
			[410, { status: "gone", reason: "expired" }],
			[410, { status: "gone", reason: "cancelled" }],
			[429, { status: "limited", retryAfterSeconds: 60 }],
		] as const) {
			expect(await answerOf(status, { ...answer, error: "A sentence." })).toMatchObject(answer);
		}
	});

	it("throws for any other answer, and repeats no secret", async () => {
		for (const [status, body] of [
			[200, "<!doctype html>"],
			[200, { ...redeemed, email: undefined }],
			[404, { error: "There is nothing at this address." }],
			[409, { status: "used" }],
			[500, { status: "unknown" }],
		] as const) {
			const error = await answerOf(status, body).catch((error: Error) => error);
			expect(String(error), String(body)).toMatch(
				new RegExp(
					`^Error: The waitlist at http://127\\S+ gave no answer that .* \\(${status}\\)\\.$`,
				),
			);
		}
		await expect(answerOf(401, { error: "Please send a key" })).rejects.toThrow(
			/^The waitlist at http:\S+ does not know this key\.$/,
		);
	});

	it("gives key and code to no other site, and waits no longer than it may", async () => {
		const other = await answering((response) => response.end(JSON.stringify(redeemed)));
		const moved = await answering((response) => {
			response.writeHead(307, { location: `${other.origin}/api/invitations/redeem` }).end();
		});
		await expect(redeem({ origin: moved.origin, ...secrets })).rejects.toThrow("cannot be reached");
		expect(other.asked).toEqual([]);
		const silent = await answering(() => {});
		await expect(redeem({ origin: silent.origin, ...secrets, timeoutMs: 50 })).rejects.toThrow(
			`The waitlist at ${silent.origin} cannot be reached (TimeoutError).`,
		);
	});

	it("names the reason and no secret when nobody answers", async () => {
		const nobody = `http://127.0.0.1:${await freePort()}`;
		for (const [origin, key, reason] of [
			[nobody, secrets.key, "ECONNREFUSED"],
			["no origin", secrets.key, "TypeError"],
			[nobody, "a-key\nof-the-product", "TypeError"],
		] as const) {
			const error = await redeem({ origin, ...secrets, key }).catch((error: Error) => error);
			if (!(error instanceof Error)) throw new Error(error.status);
			expect(error.message).toBe(`The waitlist at ${origin} cannot be reached (${reason}).`);
			expect(`${error.stack}${error.cause}`).not.toMatch(/a-key|7G2K|ada@/);
		}
	});
});
