import { describe, expect, it, vi } from "vitest";
import { query } from "../../../bench/harness/postgres-cluster.ts";
import { createReadiness } from "../../../src/server/database/readiness.ts";
import type { Waitlist } from "../../../src/server/waitlist/waitlist.ts";
import { startServer } from "../../server-process.ts";
import { placeOf, usePostgres } from "../waitlist/databases.ts";

const cluster = usePostgres();

describe("the question whether a server is ready", () => {
	it.each(["SQLite", "PostgreSQL"] as const)("leaves no row: %s", async (kind) => {
		const { folder, env, emails } = await placeOf(kind, cluster());
		const server = await startServer({ folder, env });
		const ask = async () => (await fetch(new URL("/readyz", server.url))).status;
		const statuses = await Promise.all(Array.from({ length: 200 }, ask));
		expect(new Set(statuses)).toEqual(new Set([200]));
		server.process.kill("SIGTERM");
		await server.ended;
		expect(await emails()).toEqual(new Set());
		if (kind === "SQLite") return;
		// Each second the first one reaches it. How many seconds these take is the machine's to say.
		const [row] = await query<{ inserted: string }>(
			env.DATABASE_URL!,
			"SELECT n_tup_ins AS inserted FROM pg_stat_user_tables WHERE relname = 'registration'",
		);
		expect(Number(row!.inserted)).toBeGreaterThan(0);
		expect(Number(row!.inserted)).toBeLessThan(200 / 4);
	});

	it("is not asked again while the database owes the answer", async () => {
		let asked = 0;
		let reply: (ready: boolean) => void = () => {};
		const waitlist = {
			isReady: () => {
				asked += 1;
				return new Promise<boolean>((resolve) => {
					reply = resolve;
				});
			},
		} as Waitlist;
		let nowMs = 0;
		const { isReady } = createReadiness(waitlist, () => nowMs);
		const answers = Array.from({ length: 10 }, () => {
			nowMs += 1000;
			return isReady();
		});
		expect(asked).toBe(1);
		reply(true);
		expect(await Promise.all(answers)).toEqual(Array(10).fill(true));
		nowMs += 1000;
		void isReady();
		expect(asked).toBe(2);
	});

	it("is answered for a second by what the database last said", async () => {
		let ready = true;
		const asked = vi.fn(async () => ready);
		let nowMs = 0;
		const { isReady } = createReadiness(
			{ isReady: asked } as Partial<Waitlist> as Waitlist,
			() => nowMs,
		);
		expect(await isReady()).toBe(true);
		ready = false;
		nowMs = 999;
		expect(await isReady()).toBe(true);
		expect(asked).toHaveBeenCalledTimes(1);
		nowMs = 1000;
		expect(await isReady()).toBe(false);
		expect(asked).toHaveBeenCalledTimes(2);
	});
});
