import { describe, expect, it } from "vitest";
import { usePostgres } from "../waitlist/databases.ts";
import { openDesk, openDeskWithPeople } from "./desk.ts";

const cluster = usePostgres();

describe.each(["SQLite", "PostgreSQL"] as const)("stats on %s", (kind) => {
	it("counts by day, hour and source, in the time of a zone", async () => {
		const { json, run } = await openDeskWithPeople(kind, cluster());
		const stats = await json("stats --days 1000 --hours 1");
		expect(stats).toMatchObject({
			total: 3,
			flagged: 1,
			erased: 0,
			first: "2026-11-19T23:30:00.000Z",
			latest: "2026-11-21T09:30:00.500Z",
			sources: [
				{ name: "landing-page", count: 2 },
				{ name: "fair", count: 1 },
			],
		});
		const counted = (days: { name: string; count: number }[]) =>
			Object.fromEntries(
				days.filter(({ count }) => count > 0).map(({ name, count }) => [name, count]),
			);
		expect(stats.days.length).toBe(1000);
		expect(counted(stats.days)).toEqual({ "2026-11-19": 1, "2026-11-20": 1, "2026-11-21": 1 });
		const berlin = await json("stats --days 1000 --tz Europe/Berlin");
		expect(counted(berlin.days)).toEqual({ "2026-11-20": 2, "2026-11-21": 1 });
		const { stdout } = await run("stats --by source");
		expect(stdout).toMatch(/^3 on the waitlist, from 2026-11-19/);
		expect(stdout).toContain(
			`  landing-page  ${"█".repeat(40)} 2\n  fair          ${"█".repeat(20)} 1\n`,
		);
	});

	it("counts everybody, and lists the twenty largest sources", async () => {
		const { json } = await openDesk(kind, cluster());
		const rows = Array.from({ length: 22 }, (_, n) => `visitor-${n}@example.com,site ${n >> 1}`);
		const more = Array.from({ length: 11 }, (_, n) => `other-${n}@example.com,other ${n}`);
		await json("import - --format csv", ["email,source", ...rows, ...more].join("\n"));
		const { total, sources } = await json("stats");
		expect({ total, listed: sources.length }).toEqual({ total: 33, listed: 20 });
		expect(sources.slice(0, 11).map(({ count }: { count: number }) => count)).toEqual(
			Array(11).fill(2),
		);
	});
});
