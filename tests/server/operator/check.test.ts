import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { query } from "../../../bench/harness/postgres-cluster.ts";
import { kind } from "../../given/kind.ts";
import { connect } from "../../read-rows.ts";
import { usePostgres } from "../waitlist/databases.ts";
import { ERASURE_KEY, openDesk, openDeskWithPeople } from "./desk.ts";

const cluster = usePostgres();

describe("check", () => {
	it("shows what is right or wrong, and the settings in force without a secret", async () => {
		const desk = await openDesk("PostgreSQL", cluster());
		const { stdout } = await desk.run("check");
		expect(stdout).toContain("✓ synchronous_commit: on");
		expect(stdout).toContain("✓ rows: 0, all keys right");
		expect(stdout).toContain("WAITLIST_ERASURE_KEY: set (hidden)");
		expect(stdout).not.toContain(ERASURE_KEY);
	});

	it("counts rows whose key is not that of their address", async () => {
		const { folder, run } = await openDeskWithPeople("SQLite", cluster());
		const connection = connect(join(folder, "data/waitlist.db"));
		connection.exec("UPDATE registration SET email_key = 'x@example.com' WHERE source = 'fair'");
		connection.close();
		const { code, stdout } = await run("check");
		expect(code).toBe(1);
		expect(stdout).toContain("✗ rows: 1 of 3 have a wrong key\n");
	});

	it("finds no fault in an address that today's rule refuses", async () => {
		const { folder, run } = await openDeskWithPeople("SQLite", cluster());
		const connection = connect(join(folder, "data/waitlist.db"));
		connection.exec(
			"UPDATE registration SET email = 'ada', email_key = 'ada' WHERE source = 'fair'",
		);
		connection.close();
		const { code, stdout } = await run("check");
		expect(code).toBe(0);
		expect(stdout).toContain("3, all keys right; today’s rule refuses 1, which stay\n");
	});

	it(`names rows from the future on ${kind}, and mends their times when asked to`, async () => {
		const { folder, env, run, json } = await openDeskWithPeople(kind, cluster());
		const sql = "UPDATE registration SET created_at = '2999-01-01T00:00:00.000Z' WHERE source = ";
		if (env.DATABASE_URL) await query(env.DATABASE_URL, `${sql} 'fair'`);
		else {
			const connection = connect(join(folder, "data/waitlist.db"));
			connection.exec(`${sql} 'fair'`);
			connection.close();
		}
		const failing = await run("check");
		expect(failing.code).toBe(1);
		expect(failing.stdout).toMatch(/✗ clock: 1 joined after .*: .* use check --mend\n/);
		const before = new Date().toISOString();
		expect((await run("check --mend")).stdout).toMatch(/✓ clock: \d{4}-/);
		expect((await run("check")).code).toBe(0);
		const { registration } = await json("find bob@example.com");
		expect(registration.createdAt >= before).toBe(true);
		expect(registration).toMatchObject({ source: "fair", terms: "2026-11-01", flags: "trap" });
		expect(await json("find ada@bücher.example")).toMatchObject({
			registration: { createdAt: "2026-11-19T23:30:00.000Z" },
		});
	});
});
