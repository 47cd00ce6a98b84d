import { describe, expect, it } from "vitest";
import { change, given } from "../../given/given.ts";
import { kind } from "../../given/kind.ts";
import { usePostgres } from "../registrations/databases.ts";
import { ERASURE_KEY, openDesk, openDeskWithPeople } from "./desk.ts";

const cluster = usePostgres();

describe("check", () => {
	it("shows what is right or wrong, and the settings in force without a secret", async () => {
		const desk = await openDesk("PostgreSQL", cluster());
		const { stdout } = await desk.run("check");
		expect(stdout).toContain("✓ synchronous_commit: on");
		expect(stdout).toContain("✓ rows: 0, all keys right");
		expect(stdout).toContain("WAITLIST_SECRET: set (hidden)");
		expect(stdout).not.toContain(ERASURE_KEY);
	});

	it(`names rows with a wrong key and rows from the future on ${kind}, and corrects times when asked to`, async () => {
		const desk = await openDeskWithPeople(kind, cluster());
		await change(desk, "people", { joined: "2999-01-01T00:00:00.000Z" }, { source: "fair" });
		const failing = await desk.run("check");
		expect(failing.code).toBe(1);
		expect(failing.stdout).toMatch(/✗ clock: 1 joined after .*: .* use check --mend\n/);
		const before = new Date().toISOString();
		expect((await desk.run("check --mend")).stdout).toMatch(/✓ clock: \d{4}-/);
		const { registration } = await desk.json("find bob@example.com");
		expect(registration.joinedAt >= before).toBe(true);
		expect(registration).toMatchObject({ source: "fair", terms: "2026-11-01", flag: "honeypot" });
		expect(await desk.json("find ada@bücher.example")).toMatchObject({
			registration: { joinedAt: "2026-11-19T23:30:00.000Z" },
		});
		await given.person(desk, { email: "refused" });
		expect(await desk.run("check")).toMatchObject({
			code: 0,
			stdout: expect.stringContaining("4, all keys right; today’s rule refuses 1, which stay\n"),
		});
		await given.person(desk, { key: "x@example.com", email: "y@example.com" });
		expect(await desk.run("check")).toMatchObject({
			code: 1,
			stdout: expect.stringContaining("✗ rows: 1 of 5 have a wrong key;"),
		});
	});
});
