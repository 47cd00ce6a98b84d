import { describe, expect, it } from "vitest";
import { oneDatabase } from "../../sized.ts";
import { usePostgres } from "../waitlist/databases.ts";
import { openWaveDesk } from "./wave-desk.ts";

const cluster = usePostgres();

describe.each(oneDatabase("PostgreSQL"))("a person on %s", (kind) => {
	it("whose letter may have arrived counts as such, here and after an import, and is not invited again", async () => {
		const desk = await openWaveDesk(kind, cluster());
		await desk.people(2);
		await desk.json("invite 2 --wave beta-1 --yes");
		const [one, two] = (await desk.take()).sort((a, b) => (a.email < b.email ? -1 : 1));
		await desk.tell(
			{ id: one!.id, state: "accepted", code: "250" },
			{ id: two!.id, state: "unknown", code: "ETIMEDOUT" },
		);
		const { stdout: csv } = await desk.run("export");
		const other = await openWaveDesk(kind, cluster());
		await other.json("import - --format csv", csv);
		for (const { json, counts, run } of [desk, other]) {
			const rows = (await run("export --json")).stdout.trim().split("\n");
			const [known, unknown] = rows.map((line) => JSON.parse(line));
			const iso = expect.stringMatching(/^20/);
			expect(known).toMatchObject({ wave: "beta-1", invitedAt: iso, unknownAt: "" });
			expect(unknown).toMatchObject({ wave: "beta-1", invitedAt: "", unknownAt: iso });
			expect(await counts("beta-1")).toEqual({ accepted: 1, unknown: 1 });
			expect(await json("stats")).toMatchObject({ invitations: { invited: 1, unknown: 1 } });
			// They may hold a code: nobody invites them again.
			expect(await json("invite 9 --wave beta-2 --dry-run")).toMatchObject({ had: 2, eligible: 0 });
		}
		expect((await other.run("export")).stdout).toBe(csv);
	});
});
