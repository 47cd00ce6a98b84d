import { describe, expect, it } from "vitest";
import { expectRefusal, JSON_TYPE, openApp } from "../open-app.ts";

describe("too many attempts", () => {
	const tenMinutes = (count: number) => ({ count, periodMs: 600_000 });
	const limits = { address: tenMinutes(1), network: tenMinutes(2), burst: tenMinutes(1) };
	const body = '{"email":"ada@example.com"}';

	it("get 429 with the time to wait, and nobody else does", async () => {
		const { post } = await openApp({}, limits);
		expect((await post(body, JSON_TYPE, "192.0.2.1")).status).toBe(201);
		expect((await post(body, JSON_TYPE, "192.0.2.1")).status).toBe(409);
		const response = await post(body, JSON_TYPE, "::ffff:192.0.2.1");
		expect(response.headers.get("retry-after")).toBe("600");
		await expectRefusal(response, 429, "Too many attempts. Please try again in 10 minutes.");
		expect((await post(body, JSON_TYPE, "192.0.2.2")).status).toBe(409);
	});

	it("are counted by IPv6 network as well", async () => {
		const { post } = await openApp({}, limits);
		for (const subnet of [1, 2, 3]) {
			const { status } = await post(body, JSON_TYPE, `2001:db8:7:${subnet}::1`);
			expect(status).toBe(subnet === 1 ? 201 : 409);
		}
		const response = await post(body, JSON_TYPE, "2001:db8:7:4::1");
		expect(await response.json()).toEqual({
			error: "Too many attempts. Please try again in 5 minutes.",
		});
		expect((await post(body, JSON_TYPE, "2001:db8:8:4::1")).status).toBe(409);
	});

	it("are not used up by posts of another site's page", async () => {
		const { post } = await openApp({}, limits);
		const headers = { ...JSON_TYPE, "sec-fetch-site": "cross-site" };
		for (let n = 0; n < 10; n++) {
			expect((await post(body, headers, "192.0.2.1")).status).toBe(403);
		}
		for (const status of [201, 409]) {
			expect((await post(body, JSON_TYPE, "192.0.2.1")).status).toBe(status);
		}
		expect((await post(body, headers, "192.0.2.1")).status).toBe(403);
		expect((await post(body, JSON_TYPE, "192.0.2.1")).status).toBe(429);
	});

	it("by address do not apply to loopback, which may be an unnamed proxy", async () => {
		const { post, log } = await openApp({}, limits);
		for (const peer of ["127.0.0.1", "127.0.0.53", "::1", "::ffff:127.0.0.1"]) {
			for (let n = 0; n < 5; n++) {
				expect((await post(body, JSON_TYPE, peer)).status).toBeLessThan(429);
			}
		}
		expect(log).not.toHaveBeenCalled();
	});

	it("are counted as one visitor's behind a trusted proxy that names none", async () => {
		const { post, log } = await openApp({ TRUSTED_PROXIES: "127.0.0.1" }, limits);
		const headers = { ...JSON_TYPE, "x-forwarded-for": "192.0.2.1, unknown" };
		for (const status of [201, 409, 429, 429]) {
			expect((await post(body, headers, "127.0.0.1")).status).toBe(status);
		}
		const message = expect.stringMatching(/`waitlist confirm --flag burst`.*add the visitor's/);
		expect(log.mock.calls).toEqual([["info", "burst", { message }]]);
	});

	it("behind a proxy that nobody trusts are logged once", async () => {
		const { post, log } = await openApp({}, limits);
		const headers = { ...JSON_TYPE, "x-forwarded-for": "192.0.2.1" };
		for (const status of [201, 409, 429, 429]) {
			expect((await post(body, headers, "172.17.0.1")).status).toBe(status);
		}
		expect(log.mock.calls.filter(([, event]) => event !== "burst")).toEqual([
			["error", "proxy not trusted", { message: expect.stringContaining("set TRUSTED_PROXIES") }],
		]);
		expect(JSON.stringify(log.mock.calls)).not.toMatch(/172\.17|192\.0/);
	});
});
