import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { shownTime } from "../../../src/server/time.ts";
import { given } from "../../given/given.ts";
import { kind } from "../../given/kind.ts";
import { openSqliteFile } from "../../read-rows.ts";
import { postJoin, startServer } from "../../server-process.ts";
import { failureOf, openCommandSetup, openSetupWithPeople } from "./command-setup.ts";

const DAY_MS = 86_400_000;

describe(`delete on ${kind}`, () => {
	it("finds and deletes by any spelling, and keeps a hash without the address", async () => {
		const { json, run } = await openSetupWithPeople(kind);
		expect((await json("find ADA@xn--bcher-kva.example")).registration.email).toBe(
			"Ada@Bücher.example",
		);
		const { receipts } = await json("delete ada@BÜCHER.example. --reason GDPR");
		expect(receipts).toEqual([
			{
				email: "ada@BÜCHER.example.",
				hash: expect.stringMatching(/^[0-9a-f]{64}$/),
				at: expect.stringMatching(/^\d{4}-.*Z$/),
				reason: "GDPR",
				key: expect.stringMatching(/^[0-9a-f]{32}$/),
			},
		]);
		const again = await run("find ada@bücher.example");
		const stdout = `Not on the waitlist.\nDeleted on ${shownTime(receipts[0].at)}: GDPR.\n`;
		expect(again).toMatchObject({ code: 3, stdout });
		expect((await run("delete ada@bücher.example")).code).toBe(3);
		const receipt = await run("delete bob@example.com eve@example.com");
		expect(receipt.code).toBe(0);
		expect(receipt.stdout.match(/^Receipt$/gm)).toHaveLength(2);
		expect(receipt.stdout).toContain("may contain the address for up to 35 days");
		expect(await json("stats")).toMatchObject({ total: 0, deleted: 3 });
	});

	it("refuses to delete over 100 people and a tenth of the list by age without --yes", async () => {
		const setup = await openCommandSetup(kind);
		const join = (count: number, joined: Date) =>
			given.people(
				setup,
				Array.from({ length: count }, (_, n) => `p${count}-${n}@example.com`),
				{ joined },
			);
		const old = new Date(Date.now() - 25 * 31 * DAY_MS);
		await join(1, new Date());
		await join(100, old);
		expect(await setup.json("delete --older-than 24")).toMatchObject({ deleted: 100 });
		await join(101, old);
		const deleteOld = () => failureOf(setup.run("delete --older-than 24"));
		expect(await deleteOld()).toContain("delete 101 of 102 people");
		await join(1000, new Date());
		expect(await setup.json("delete --older-than 24")).toMatchObject({ deleted: 101 });
		await join(200, old);
		await deleteOld();
		expect(await setup.json("delete --older-than 24 --yes")).toMatchObject({ deleted: 200 });
	});
});

describe("a deletion in SQLite", () => {
	it("leaves no byte of the address in any file", async () => {
		const { folder, json, add } = await openCommandSetup("SQLite");
		await add("someone-unforgettable@example.com", "other@example.com");
		const server = await startServer({ folder });
		await postJoin(server.url, "later@example.com");
		expect(await bytesOf(folder)).toContain("someone-unforgettable");
		await json("delete someone-unforgettable@example.com");
		expect(await bytesOf(folder)).not.toContain("someone-unforgettable");
		expect(await bytesOf(folder)).toContain("other@example.com");
	});

	it("fails without a receipt while a reader keeps the journal from being emptied", {
		tags: "slow",
	}, async () => {
		const { folder, run, add } = await openCommandSetup("SQLite");
		await add("someone-unforgettable@example.com", "other@example.com");
		const reader = openSqliteFile(join(folder, "data/waitlist.db"));
		onTestFinished(() => reader.close());
		reader.exec("BEGIN");
		reader.prepare("SELECT * FROM sqlite_master").all();
		const server = await startServer({ folder });
		const erasing = run("delete someone-unforgettable@example.com");
		for (let n = 0; n < 50; n++) {
			expect((await postJoin(server.url, `visitor-${n}@example.com`)).status).toBe(201);
		}
		expect(await failureOf(erasing)).toMatch(/^The rows are deleted, but/);
		reader.exec("COMMIT");
		expect((await run("delete someone-unforgettable@example.com")).code).toBe(3);
		expect(await bytesOf(folder)).not.toContain("someone-unforgettable");
	});
});

async function bytesOf(folder: string): Promise<string> {
	const files = ["waitlist.db", "waitlist.db-wal", "waitlist.db.key"];
	const read = files.map((name) => readFile(join(folder, "data", name)).catch(() => ""));
	return (await Promise.all(read)).map(String).join("");
}
