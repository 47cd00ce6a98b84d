/** @module-tag slow */
import { Agent, request } from "node:http";
import { expect, it } from "vitest";
import { JOIN_PATH } from "#shared/join.ts";
import { startServer } from "../../server-process.ts";
import { placeOf, usePostgres } from "./databases.ts";

const cluster = usePostgres();

/** Connections without idle time, so that the server closes none just when it is used again. */
const agent = new Agent({ keepAlive: true, maxSockets: 25 });

function statusOfPost(url: string, email: string): Promise<number> {
	return new Promise((resolve, reject) => {
		const headers = { "content-type": "application/json" };
		request(new URL(JOIN_PATH, url), { agent, method: "POST", headers }, (response) => {
			response.resume().once("end", () => resolve(response.statusCode!));
		})
			.on("error", reject)
			.end(JSON.stringify({ email }));
	});
}

const ADDRESSES = 1000;
const POSTS = 20;

it(`lets ${ADDRESSES} addresses in once each, posted ${POSTS} times in parallel through two copies`, async () => {
	const { folder, env, emails } = await placeOf("PostgreSQL", cluster());
	const copies = await Promise.all([startServer({ folder, env }), startServer({ folder, env })]);
	const outcomes = new Map<string, number[]>();
	const every = 20;
	for (let start = 0; start < ADDRESSES; start += every) {
		await Promise.all(
			Array.from({ length: every * POSTS }, async (_, n) => {
				const email = `visitor-${start + (n % every)}@example.com`;
				const status = await statusOfPost(copies[Math.floor(n / every) % 2]!.url, email);
				outcomes.set(email, [...(outcomes.get(email) ?? []), status]);
			}),
		);
	}
	agent.destroy();
	expect(outcomes.size).toBe(ADDRESSES);
	const expected = [201, ...Array(POSTS - 1).fill(409)];
	for (const statuses of outcomes.values()) expect(statuses.sort()).toEqual(expected);
	expect((await emails()).size).toBe(ADDRESSES);
});
