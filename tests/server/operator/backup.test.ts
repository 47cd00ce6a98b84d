import { readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { usePostgres } from "../waitlist/databases.ts";
import { openDesk, openDeskWithPeople } from "./desk.ts";

const cluster = usePostgres();

describe.each(["SQLite", "PostgreSQL"] as const)("backup and restore on %s", (kind) => {
	it("backs up into one file, and restores it anywhere without bringing back an erased address", async () => {
		const { folder, json, run } = await openDeskWithPeople(kind, cluster());
		const { rows, hash } = await json("backup list.backup");
		expect({ rows, hash }).toEqual({ rows: 3, hash: expect.stringMatching(/^[0-9a-f]{32}$/) });
		expect((await stat(join(folder, "list.backup"))).mode & 0o777).toBe(0o600);
		expect((await run("backup list.backup")).stderr).toBe(
			"list.backup is already there, and is not overwritten.\n",
		);
		await json("erase bob@example.com");
		await json("import - --format text", "zoe@example.com");
		expect(await json("restore list.backup")).toMatchObject({
			added: 0,
			erased: 1,
			comparison: { source: { rows: 2 }, target: { rows: 2 }, onlyInTarget: 1, same: true },
		});
		expect((await run("find bob@example.com")).code).toBe(3);

		const fresh = await openDesk(kind, cluster());
		const file = join(folder, "list.backup");
		expect(await fresh.json(`restore ${file}`)).toMatchObject({
			added: 3,
			comparison: { same: true },
		});
		expect((await fresh.run("export --json")).stdout).toContain(
			JSON.stringify("Ada@Bücher.example"),
		);
	});

	it("refuses a damaged backup, and a file that is not a backup", async () => {
		const { folder, json, run, add } = await openDesk(kind, cluster());
		await add(...Array.from({ length: 3000 }, (_, n) => `visitor-${n}@example.com`));
		await json("backup whole.db");
		const bytes = await readFile(join(folder, "whole.db"));
		bytes.fill(0x5a, bytes.length >> 1, (bytes.length >> 1) + 20_000);
		await writeFile(join(folder, "damaged.db"), bytes);
		await writeFile(join(folder, "none.db"), "Dear diary, ".repeat(1000));
		const damaged = await run("restore damaged.db");
		expect({ code: damaged.code, stderr: damaged.stderr }).toEqual({
			code: 1,
			stderr: expect.stringMatching(/damaged|malformed/),
		});
		const none = await run("restore none.db");
		expect(none.stderr).toBe("The waitlist none.db cannot be opened: file is not a database.\n");
		expect((await run("restore missing.db")).stderr).toBe("There is no file missing.db.\n");
		expect(await json("stats")).toMatchObject({ total: 3000 });
	});
});
