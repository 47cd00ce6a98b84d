import { describe, expect, it, onTestFinished, vi } from "vitest";
import { createMetrics } from "../../src/server/metrics.ts";
import { postEmail, startServer } from "../server-process.ts";
import { temporaryFolder } from "../temporary.ts";

describe("metrics", () => {
	it("count the time of requests in seconds", async () => {
		const metrics = createMetrics();
		metrics.onFinished({ id: "", method: "GET", route: "/*", status: 200, ms: 1500 });
		expect(await metrics.text()).toMatch(/^http_request_duration_seconds_sum\{.*\} 1\.5$/m);
	});

	it("keep the numbers of waves while reading them takes long, or fails", async () => {
		const clock = { ms: 0, readMs: 1 };
		const now = vi.spyOn(performance, "now").mockImplementation(() => clock.ms);
		onTestFinished(() => now.mockRestore());
		const metrics = createMetrics();
		let reads = 0;
		metrics.waves(async (statements) => {
			if (!statements[0]!.sql.includes("GROUP BY 1, 2")) return [[]];
			clock.ms += clock.readMs;
			reads += 1;
			if (reads === 2) throw new Error("the database does not answer");
			return [[{ name: "beta-1", end: "waiting", count: reads }]];
		});
		const shown = async () => /state="waiting"\} (\d+)/.exec(await metrics.text())?.[1];
		expect([await shown(), await shown(), await shown()]).toEqual(["1", "1", "3"]);
		clock.readMs = 500;
		expect([await shown(), await shown()]).toEqual(["4", "4"]);
		clock.ms += 50_000;
		expect(await shown()).toBe("5");
	});

	it("are served on their own port, on loopback only, and hold no addresses", async () => {
		const server = await startServer({
			folder: await temporaryFolder(),
			env: {
				WAITLIST_METRICS_PORT: "0",
				HOST: "0.0.0.0",
				WAITLIST_ADDRESS_LIMIT: "3/1h",
				TRUSTED_PROXIES: "127.0.0.1",
			},
		});
		await expect.poll(() => server.logged("metrics shown")).toHaveLength(1);
		const url = /http:\S+/.exec(String(server.logged("metrics shown")[0]!.message))![0];
		for (const n of [1, 2, 2, 3]) {
			await postEmail(server.url, `visitor-${n}@example.com`, { "x-forwarded-for": "192.0.2.1" });
		}
		const text = await (await fetch(url)).text();
		expect(text).toMatch(/^waitlist_registrations_total\{outcome="registered"\} 2$/m);
		expect(text).toMatch(/^waitlist_registrations_total\{outcome="duplicate"\} 1$/m);
		expect(text).toMatch(/^waitlist_limited_total\{scope="address"\} 1$/m);
		expect(text).toMatch(/^waitlist_batch_rows_count 3$/m);
		expect(text).toMatch(/^waitlist_waiting_rows 0$/m);
		expect(text).toMatch(
			/^http_request_duration_seconds_count\{method="POST",route="\/api\/waitlist\/register",status="201"\} 2$/m,
		);
		expect(text).toMatch(/^process_resident_memory_bytes \d+/m);
		expect(text).not.toMatch(/@|192\.0\.2/);
		// Linux has every address of 127/8: a refusal at another one shows that only one is bound.
		const elsewhere = new URL(url);
		elsewhere.hostname = "127.0.0.2";
		await expect(fetch(elsewhere)).rejects.toThrow("fetch failed");
		expect((await fetch(new URL("/metrics", server.url))).status).toBe(404);
	});
});
