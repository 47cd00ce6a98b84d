import { describe, expect, it } from "vitest";
import { kind } from "../../given/kind.ts";
import { usePostgres } from "../registrations/databases.ts";
import { openDeskWithPeople } from "./desk.ts";

const cluster = usePostgres();

describe(`stats on ${kind}`, () => {
	it("counts by day and source, in the time of a zone", async () => {
		const { env, json, run } = await openDeskWithPeople(kind, cluster());
		const stats = await json("stats --days 1000");
		expect(stats).toMatchObject({
			total: 3,
			flagged: 1,
			deleted: 0,
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
		env.WAITLIST_TIME_ZONE = "Europe/Berlin";
		const berlin = await json("stats --days 1000");
		delete env.WAITLIST_TIME_ZONE;
		expect(counted(berlin.days)).toEqual({ "2026-11-20": 2, "2026-11-21": 1 });
		const { stdout } = await run("stats");
		expect(stdout).toMatch(/^3 on the waitlist, from 2026-11-19/);
		expect(stdout).toContain(
			`  landing-page  2  ${"█".repeat(40)}\n  fair          1  ${"█".repeat(20)}\n`,
		);
		const days = (await run("stats --days 1000")).stdout;
		expect(days).toMatch(/^ {2}2026-11-18 {2}0\n {2}2026-11-19 {2}1 {2}█+$/m);
	});
});
