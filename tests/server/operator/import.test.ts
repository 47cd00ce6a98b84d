import { describe, expect, it } from "vitest";
import { usePostgres } from "../waitlist/databases.ts";
import { openDesk } from "./desk.ts";

const cluster = usePostgres();

describe.each(["SQLite", "PostgreSQL"] as const)("import on %s", (kind) => {
	it("imports by the site's rule, and names each refused line and why", async () => {
		const { run, json, add } = await openDesk(kind, cluster());
		await add("ada@example.com");
		await json("erase ada@example.com");
		const { code, stdout } = await run(
			"import - --format csv",
			[
				"\ufeffSource,Email,joined",
				'fair,"Bob@Example.com",2026-01-02',
				"fair,bob@example.com,2026-01-03",
				"fair,nobody,2026-01-02",
				',carol@example.com,"2026-01-02T03:04:05+01:00"',
				"fair,dan@example.com,yesterday",
				`${"x".repeat(65)},erin@example.com,`,
				"fair,ada@example.com,",
				'fair,"multi\nline",',
				"fair,,",
			].join("\r\n"),
		);
		expect(code).toBe(1);
		expect(stdout.split("\n")).toEqual([
			"2 added, 1 already there, 6 refused",
			"  line 4: Please enter a valid email address",
			'  line 6: "yesterday" is not a date or time.',
			"  line 7: The source must be 1 to 64 printable characters.",
			expect.stringMatching(/^ {2}line 8: This address was erased on \d{4}-.*Z\.$/),
			"  line 10: Please enter a valid email address",
			"  line 11: Please enter your email address",
			"",
		]);
		expect(await json("find carol@example.com")).toMatchObject({
			registration: { source: "import", createdAt: "2026-01-02T02:04:05.000Z", terms: "" },
		});
		expect(await json("find bob@example.com")).toMatchObject({
			registration: { email: "Bob@Example.com", createdAt: "2026-01-02T00:00:00.000Z" },
		});
	});
});
