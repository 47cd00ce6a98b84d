import { once } from "node:events";
import { type IncomingMessage, request } from "node:http";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { txOver } from "../../src/server/database/transaction.ts";
import { createMetrics } from "../../src/server/metrics.ts";
import { postEmail, startServer } from "../server-process.ts";
import { temporaryFolder } from "../temporary.ts";

describe("metrics", () => {
	it("keep their numbers while reading them takes long, or fails", async () => {
		const clock = { ms: 0, readMs: 1 };
		const now = vi.spyOn(performance, "now").mockImplementation(() => clock.ms);
		onTestFinished(() => now.mockRestore());
		const none = { redeemed: 0, cancelled: 0, bounced: 0, expired: 0 };
		let reads = 0;
		const shown = shownOf(/state="waiting"\} (\d+)/, {
			"GROUP BY wave, state": () => {
				clock.ms += clock.readMs;
				reads += 1;
				if (reads === 2) throw new Error("the database does not answer");
				return [{ name: "beta-1", state: "waiting", count: reads, ...none }];
			},
		});
		const count = async () => (await shown())[0]?.at(1);
		expect([await count(), await count(), await count()]).toEqual(["1", "1", "3"]);
		clock.readMs = 500;
		expect([await count(), await count()]).toEqual(["4", "4"]);
		clock.ms += 50_000;
		expect(await count()).toBe("5");
	});

	it("say why emails are paused and slowed, and how many events wait", async () => {
		const complaint = { endedAt: "2026-01-02", bouncedAt: "", complainedAt: "2026-01-02" };
		const outbox = { confirmedSlowed: 1, unconfirmedSlowed: 4, pausedUntil: "", cause: "" };
		let outcomes: object[] = [];
		const shown = shownOf(/^waitlist_(?:emails_(?:paused|slowed)|events)\{(.*)/, {
			"FROM event": () => [{ waiting: 1200, failed: 2 }],
			'AS "freeAt"': () => [outbox],
			"AS ended": () => outcomes,
		});
		const lines = async () => (await shown()).map(([, line]) => line);
		const slowed = (dead: number, complaints: number) => [
			`stream="unconfirmed",reason="dead addresses"} ${dead}`,
			`stream="unconfirmed",reason="complaints"} ${complaints}`,
		];
		expect(await lines()).toEqual([
			...["unreachable", "refused", "quota", "operator"].map((reason) => `reason="${reason}"} 0`),
			'stream="confirmed",reason="dead addresses"} 1',
			'stream="confirmed",reason="complaints"} 1',
			...slowed(4, 1),
			'state="waiting"} 1200',
			'state="failed"} 2',
		]);
		outbox.pausedUntil = "9999-01-01T00:00:00.000Z";
		outbox.cause = "refused";
		outcomes = ["a", "b", "c"].map((name) => ({ key: `x@${name}.example`, ...complaint }));
		expect(await lines()).toEqual(expect.arrayContaining(['reason="refused"} 1', ...slowed(1, 4)]));
	});

	it("are served on their own port, on loopback only, and hold no addresses", async () => {
		const server = await startServer({
			folder: await temporaryFolder(),
			env: {
				WAITLIST_METRICS_PORT: "0",
				HOST: "0.0.0.0",
				WAITLIST_ADDRESS_LIMIT: "2/1h",
				TRUSTED_PROXIES: "127.0.0.1",
			},
		});
		await expect.poll(() => server.logged("metrics shown")).toHaveLength(1);
		const url = /http:\S+/.exec(String(server.logged("metrics shown")[0]!.message))![0];
		for (const n of [1, 2, ...Array(200).fill(2), 3]) {
			await postEmail(server.url, `visitor-${n}@example.com`, { "x-forwarded-for": "192.0.2.1" });
		}
		const text = await (await fetch(url)).text();
		expect(text).toMatch(/^waitlist_registrations_total\{outcome="registered"\} 2$/m);
		expect(text).toMatch(/^waitlist_registrations_total\{outcome="duplicate"\} 200$/m);
		expect(text).toMatch(/^waitlist_burst_total\{scope="address"\} 200$/m);
		expect(text).toMatch(/^waitlist_limited_total\{scope="address"\} 1$/m);
		expect(text).toMatch(/^waitlist_batch_rows_count 202$/m);
		expect(text.match(/^waitlist_emails_paused\{.* 0$/gm)).toHaveLength(4);
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
		const { port } = new URL(url);
		const statusFor = async (host: string) => {
			// fetch sends no Host of one's own.
			const asked = request(url, { headers: { host } }).end();
			const [response] = (await once(asked, "response")) as [IncomingMessage];
			response.resume();
			return response.statusCode;
		};
		for (const host of [`127.0.0.1:${port}`, "localhost", `[::1]:${port}`]) {
			expect(await statusFor(host)).toBe(200);
		}
		for (const host of [`elsewhere.example:${port}`, "localhost.elsewhere.example"]) {
			expect(await statusFor(host)).toBe(421);
		}
	});
});

/** Metrics over a database that answers statements with these words; gives the lines that match. */
function shownOf(lines: RegExp, answers: Record<string, () => object[]>) {
	const metrics = createMetrics();
	const tx = txOver(async ({ text }) => {
		const [, answer] = Object.entries(answers).find(([words]) => text.includes(words)) ?? [];
		const rows = answer ? answer() : text.includes("FROM event") ? [{ waiting: 0, failed: 0 }] : [];
		return rows as never[];
	});
	metrics.watch(tx, undefined);
	return async () => {
		const text = await metrics.text();
		return text.split("\n").flatMap((line) => {
			const found = lines.exec(line);
			return found ? [found] : [];
		});
	};
}
