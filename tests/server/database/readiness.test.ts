import { describe, expect, it } from "vitest";
import { query } from "../../../bench/harness/postgres-cluster.ts";
import { createReadiness } from "../../../src/server/database/readiness.ts";
import { startServer } from "../../server-process.ts";
import { placeOf, usePostgres } from "../registrations/databases.ts";

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

	it("is asked of the database one at a time, and once a second", async () => {
		const answers: ((ready: boolean) => void)[] = [];
		const waitlist = { isReady: () => new Promise<boolean>((yes) => answers.push(yes)) };
		let nowMs = 0;
		const { isReady } = createReadiness(waitlist, () => nowMs);
		const asked = Array.from({ length: 10 }, () => {
			nowMs += 1000;
			return isReady();
		});
		expect(answers).toHaveLength(1);
		answers[0]!(true);
		expect(await Promise.all(asked)).toEqual(Array(10).fill(true));
		nowMs = 1999;
		expect(await isReady()).toBe(true);
		nowMs = 2000;
		const later = isReady();
		answers[1]!(false);
		expect(await later).toBe(false);
	});
});
