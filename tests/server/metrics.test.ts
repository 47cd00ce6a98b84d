import { once } from "node:events";
import { type IncomingMessage, request } from "node:http";
import { expect, it } from "vitest";
import { createTx } from "../../src/server/database/sql.ts";
import { createMetrics } from "../../src/server/metrics.ts";
import { postJoin, startServer } from "../server-process.ts";
import { temporaryFolder } from "../temporary.ts";

it("metrics keep their numbers during a database outage, and report pauses and waiting events", async () => {
	const outbox = { confirmedSlowed: 1, unconfirmedSlowed: 4, pausedUntil: "", cause: "" };
	let isUp = true;
	const tx = createTx(async ({ text, parameters }) => {
		if (!isUp) throw new Error("the database does not answer");
		if (text.includes("FROM event")) return [{ waiting: 1200, failed: 2 }] as never[];
		return (parameters[0] === "outbox" ? [{ value: JSON.stringify(outbox) }] : []) as never[];
	});
	const metrics = createMetrics(tx, undefined);
	const lines = async () => {
		const headers = { host: "localhost" };
		const shown = await metrics.fetch(new Request("http://localhost/metrics", { headers }));
		return (await shown.text()).match(/(?<=^waitlist_(?:emails_paused|events)\{).*/gm);
	};
	const shown = (refused: number) => [
		'reason="unreachable"} 0',
		`reason="refused"} ${refused}`,
		...['reason="quota"} 0', 'reason="founder"} 0'],
		...['state="waiting"} 1200', 'state="failed"} 2'],
	];
	expect(await lines()).toEqual(shown(0));
	outbox.pausedUntil = "9999-01-01T00:00:00.000Z";
	outbox.cause = "refused";
	expect(await lines()).toEqual(shown(1));
	isUp = false;
	expect(await lines()).toEqual(shown(1));
});

it("metrics are served on a separate port, on loopback only, without addresses", async () => {
	const server = await startServer({
		folder: await temporaryFolder(),
		env: {
			...{ HOST: "0.0.0.0", WAITLIST_METRICS_PORT: "0" },
			...{ TRUSTED_PROXIES: "127.0.0.1", WAITLIST_ADDRESS_LIMIT: "2/1h" },
		},
	});
	await expect.poll(() => server.logged("metrics on")).toHaveLength(1);
	const url = /http:\S+/.exec(String(server.logged("metrics on")[0]!.message))![0];
	const counts = new Map<number, number>();
	// On a slow machine the limit refills, so join until the server refuses.
	for (let n = 1; !counts.has(429); n++) {
		const { status } = await postJoin(server.url, `visitor-${Math.min(n, 3)}@example.com`, {
			"x-forwarded-for": "192.0.2.1",
		});
		counts.set(status, (counts.get(status) ?? 0) + 1);
	}
	expect([...counts.keys()]).toEqual([201, 409, 429]);
	const text = await (await fetch(url)).text();
	expect(text.match(/^waitlist_emails_paused\{.* 0$/gm)).toHaveLength(4);
	for (const [status, count] of counts) {
		const labels = `{method="POST",route="/api/waitlist/register",status="${status}"}`;
		expect(text).toContain(`http_request_duration_seconds_count${labels} ${count}\n`);
	}
	expect(text).toMatch(/^process_resident_memory_bytes \d+/m);
	expect(text).not.toMatch(/@|192\.0\.2/);
	// All of 127/8 is this machine, so a refusal shows that the server listens on 127.0.0.1 only.
	const elsewhere = new URL(url);
	elsewhere.hostname = "127.0.0.2";
	await expect(fetch(elsewhere)).rejects.toThrow("fetch failed");
	expect((await fetch(new URL("/metrics", server.url))).status).toBe(404);
	const { port } = new URL(url);
	const statusFor = async (host: string) => {
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
