import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { postEmail, startServer } from "../../server-process.ts";
import { usePostgres } from "../waitlist/databases.ts";
import { openDesk, openDeskWithPeople } from "./desk.ts";

const cluster = usePostgres();

describe.each(["SQLite", "PostgreSQL"] as const)("erase on %s", (kind) => {
	it("finds and erases by any spelling, and keeps a proof without the address", async () => {
		const { json, run } = await openDeskWithPeople(kind, cluster());
		expect((await json("find ADA@xn--bcher-kva.example")).registration.email).toBe(
			"Ada@Bücher.example",
		);
		const { receipts } = await json("erase ada@BÜCHER.example. --reason GDPR");
		expect(receipts).toEqual([
			{
				email: "ada@BÜCHER.example.",
				code: expect.stringMatching(/^[0-9a-f]{64}$/),
				erasedAt: expect.stringMatching(/^\d{4}-.*Z$/),
				reason: "GDPR",
			},
		]);
		const again = await run("find ada@bücher.example");
		expect(again.code).toBe(3);
		expect(again.stdout).toBe(`Not on the waitlist.\nErased on ${receipts[0].erasedAt}: GDPR.\n`);
		expect(await run("erase ada@bücher.example")).toMatchObject({
			code: 3,
			stdout: "Not on the waitlist: ada@bücher.example\n",
		});
		const receipt = await run("erase bob@example.com eve@example.com");
		expect(receipt.code).toBe(0);
		expect(receipt.stdout.match(/^Receipt$/gm)).toHaveLength(2);
		expect(receipt.stdout).toContain("may hold it for up to 35 days");
		expect(await json("stats")).toMatchObject({ total: 0, erased: 3 });
	});

	it("erases everybody who joined too long ago", async () => {
		const { json } = await openDesk(kind, cluster());
		const ago = (months: number) =>
			new Date(Date.now() - months * 30.5 * 86_400_000).toISOString().slice(0, 10);
		await json(
			"import - --format csv",
			`Email,created_at\nold@example.com,${ago(25)}\nnew@example.com,${ago(23)}\n`,
		);
		expect(await json("erase --older-than 24 --reason retention")).toMatchObject({ erased: 1 });
		expect(await json("find new@example.com")).toMatchObject({ erasures: [] });
		expect(await json("stats")).toMatchObject({ total: 1, erased: 1 });
	});
});

describe("an erasure in SQLite", () => {
	it("leaves no byte of the address in any file", async () => {
		const { folder, json, add } = await openDesk("SQLite", cluster());
		await add("someone-unforgettable@example.com", "other@example.com");
		const server = await startServer({ folder });
		const bytes = async () => {
			const files = ["waitlist.db", "waitlist.db-wal", "waitlist.db.erasure-key"];
			const read = files.map((name) => readFile(join(folder, "data", name)).catch(() => ""));
			return (await Promise.all(read)).map(String).join("");
		};
		await postEmail(server.url, "later@example.com");
		expect(await bytes()).toContain("someone-unforgettable");
		await json("erase someone-unforgettable@example.com");
		expect(await bytes()).not.toContain("someone-unforgettable");
		expect(await bytes()).toContain("other@example.com");
	});
});
