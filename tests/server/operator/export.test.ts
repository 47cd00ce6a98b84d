import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { usePostgres } from "../waitlist/databases.ts";
import { openDesk, openDeskWithPeople } from "./desk.ts";

const cluster = usePostgres();

describe.each(["SQLite", "PostgreSQL"] as const)("export on %s", (kind) => {
	it("exports CSV that no spreadsheet runs, and takes it back to the letter", async () => {
		const { run, json, add } = await openDesk(kind, cluster());
		const odd = [
			"=1+1@example.com",
			"+tag@example.com",
			"-x@example.com",
			"'=quoted@example.com",
			'a"b,c@example.com',
			"＝wide@example.com",
			"plain@example.com",
		];
		expect(await add(...odd)).toMatchObject({ added: odd.length, refused: 0 });
		const { stdout: csv } = await run("export");
		const [header, ...lines] = csv.trimEnd().split("\r\n");
		expect(header).toBe("email,source,createdAt,terms,flags,key");
		expect(lines.map((line) => line.split(",import,")[0]).sort()).toEqual(
			[
				"'=1+1@example.com",
				"'+tag@example.com",
				"'-x@example.com",
				"''=quoted@example.com",
				'"a""b,c@example.com"',
				"'＝wide@example.com",
				"plain@example.com",
			].sort(),
		);
		const { stdout: raw } = await run("export --raw");
		expect(raw).toContain("\r\n=1+1@example.com,");

		const other = await openDesk(kind, cluster());
		expect(await other.json("import - --format csv", csv)).toMatchObject({ added: odd.length });
		const jsonl = async (run: typeof other.run) => (await run("export --json")).stdout;
		expect(await jsonl(other.run)).toBe(await jsonl(run));
		expect(await json("stats")).toMatchObject({ total: odd.length });
	});

	it("exports what is asked for, oldest first", async () => {
		const { run, folder } = await openDeskWithPeople(kind, cluster());
		const emails = async (args: string) =>
			(await run(`export --json ${args}`)).stdout
				.split("\n")
				.filter(Boolean)
				.map((line) => JSON.parse(line).email);
		expect(await emails("--raw")).toEqual([
			"Ada@Bücher.example",
			"bob@example.com",
			"eve@example.com",
		]);
		expect(await emails("--since 2026-11-20")).toEqual(["bob@example.com", "eve@example.com"]);
		expect(await emails("--since 2026-11-21T09:30:00.500Z")).toEqual(["eve@example.com"]);
		expect(await emails("--until 2026-11-20T09:00Z")).toEqual(["Ada@Bücher.example"]);
		expect(await emails("--source fair")).toEqual(["bob@example.com"]);
		expect(await emails("--flagged")).toEqual(["bob@example.com"]);
		expect(await emails("--no-flagged")).toEqual(["Ada@Bücher.example", "eve@example.com"]);
		const written = await run("export --output list.csv");
		expect(written).toEqual({ code: 0, stdout: "", stderr: "3 written to list.csv.\n" });
		expect((await stat(join(folder, "list.csv"))).mode & 0o777).toBe(0o600);
		expect((await readFile(join(folder, "list.csv"), "utf8")).split("\r\n")).toHaveLength(5);
		expect((await run("export --output list.csv")).code).toBe(1);
	});
});
