import { once } from "node:events";
import { type IncomingMessage, request } from "node:http";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { createMetrics } from "../../src/server/metrics.ts";
import { postEmail, startServer } from "../server-process.ts";
import { temporaryFolder } from "../temporary.ts";

describe("metrics", () => {
	it("keep the numbers of waves while reading them takes long, or fails", async () => {
		const clock = { ms: 0, readMs: 1 };
		const now = vi.spyOn(performance, "now").mockImplementation(() => clock.ms);
		onTestFinished(() => now.mockRestore());
		const metrics = createMetrics();
		let reads = 0;
		metrics.waves(async <Row>(sql: string) => {
			if (!sql.includes("GROUP BY wave, state")) return [];
			clock.ms += clock.readMs;
			reads += 1;
			if (reads === 2) throw new Error("the database does not answer");
			const none = { redeemed: 0, cancelled: 0, bounced: 0, expired: 0 };
			return [{ name: "beta-1", state: "waiting", count: reads, ...none }] as Row[];
		});
		const shown = async () => /state="waiting"\} (\d+)/.exec(await metrics.text())?.[1];
		expect([await shown(), await shown(), await shown()]).toEqual(["1", "1", "3"]);
		clock.readMs = 500;
		expect([await shown(), await shown()]).toEqual(["4", "4"]);
		clock.ms += 50_000;
		expect(await shown()).toBe("5");
	});

	it("say why letters are paused and how many events wait, also while the database does not answer", async () => {
		const metrics = createMetrics();
		const answering =
			(...answers: (object | undefined)[]) =>
			async <Row>() => {
				const answer = answers.shift();
				if (!answer) throw new Error("the database does not answer");
				return [answer] as Row[];
			};
		const pausedUntil = "9999-01-01T00:00:00.000Z";
		const refused = { pausedUntil, cause: "refused" };
		metrics.pause(answering(refused, undefined, { pausedUntil, cause: "operator" }));
		metrics.events(answering({ waiting: 1200, failed: 2 }));
		const shown = async () =>
			(await metrics.text()).match(/(?<=^waitlist_(?:letters_paused|events)\{).*$/gm);
		const paused = ['reason="unreachable"} 0', 'reason="refused"} 1', 'reason="quota"} 0'];
		const events = ['state="waiting"} 1200', 'state="failed"} 2'];
		const first = [...paused, 'reason="operator"} 0', ...events];
		expect((await shown())?.toSorted()).toEqual(first.toSorted());
		expect((await shown())?.toSorted()).toEqual(first.toSorted());
		expect(await shown()).toEqual(expect.arrayContaining(['reason="operator"} 1', ...events]));
	});

	it("say how many times slower each stream of letters is, and why", async () => {
		const metrics = createMetrics();
		const complaint = { endedAt: "2026-01-02", bouncedAt: "", complainedAt: "2026-01-02" };
		let outbox: object = { confirmedSlowed: 1, unconfirmedSlowed: 4 };
		let outcomes: object[] = [];
		metrics.slowed(
			async <Row>(sql: string) => (sql.includes("outbox") ? [outbox] : outcomes) as Row[],
		);
		const shown = async () => (await metrics.text()).match(/^waitlist_letters_slowed\{.*$/gm);
		const lines = (stream: string, dead: number, complaints: number) => [
			`waitlist_letters_slowed{stream="${stream}",reason="dead addresses"} ${dead}`,
			`waitlist_letters_slowed{stream="${stream}",reason="complaints"} ${complaints}`,
		];
		expect(await shown()).toEqual([...lines("confirmed", 1, 1), ...lines("unconfirmed", 4, 1)]);
		outcomes = ["a", "b", "c"].map((name) => ({ key: `x@${name}.example`, ...complaint }));
		expect(await shown()).toEqual([...lines("confirmed", 1, 1), ...lines("unconfirmed", 1, 4)]);
		outbox = { confirmedSlowed: 1, unconfirmedSlowed: 1 };
		expect(await shown()).toEqual([...lines("confirmed", 1, 1), ...lines("unconfirmed", 1, 1)]);
	});

	it("are served on their own port, on loopback only, and hold no addresses", async () => {
		const server = await startServer({
			folder: await temporaryFolder(),
			env: {
				WAITLIST_METRICS_PORT: "0",
				HOST: "0.0.0.0",
				WAITLIST_ADDRESS_LIMIT: "2/1h",
				WAITLIST_BURST_LIMIT: "1/1h",
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
		expect(text).toMatch(/^waitlist_burst_total\{scope="address"\} 1$/m);
		expect(text).toMatch(/^waitlist_limited_total\{scope="address"\} 1$/m);
		expect(text).toMatch(/^waitlist_batch_rows_count 3$/m);
		expect(text.match(/^waitlist_letters_paused\{.* 0$/gm)).toHaveLength(4);
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
