import { describe, expect, it } from "vitest";
import { usePostgres } from "../waitlist/databases.ts";
import { ERASURE_KEY, openDesk } from "./desk.ts";

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
});
