import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { openDatabase } from "../../../src/server/database/open-database.ts";
import { addRegistrations } from "../../../src/server/waitlist/registrations.ts";
import { clockAhead } from "../../clock-ahead.ts";
import { kind } from "../../given/kind.ts";
import { connect, readRows } from "../../read-rows.ts";
import { postEmail, startServer } from "../../server-process.ts";
import { usePostgres } from "../waitlist/databases.ts";
import { registrationOf } from "../waitlist/waitlist-contract.ts";
import { openDesk, openDeskWithPeople } from "./desk.ts";

const cluster = usePostgres();

const DAY_MS = 86_400_000;

describe(`erase on ${kind}`, () => {
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
			`Email,created_at\nold@example.com,${ago(25)}\nnew@example.com,${ago(0)}\n`,
		);
		expect(await json("erase --older-than 24 --reason retention")).toMatchObject({ erased: 1 });
		expect(await json("find new@example.com")).toMatchObject({ erasures: [] });
		expect(await json("stats")).toMatchObject({ total: 1, erased: 1 });
	});

	it("by age takes nobody by a clock that is three years ahead", async () => {
		const { run, json, add, env } = await openDesk(kind, cluster());
		await add("ada@example.com", "bob@example.com");
		Object.assign(env, clockAhead(3 * 365 * DAY_MS));
		const { code, stderr } = await run("erase --older-than 24 --reason retention");
		expect(code).toBe(1);
		expect(stderr).toMatch(
			/^Nobody was erased\. This would erase 2 of 2 people for good\. The clock/,
		);
		expect(await json("stats")).toMatchObject({ total: 2, erased: 0 });
		expect(await json("erase --older-than 24 --yes")).toMatchObject({ erased: 2 });
	});

	it("by age takes no more than 100 people and a tenth of the list, unless told to", async () => {
		const { run, json, add } = await openDesk(kind, cluster());
		const old = (from: number, count: number) =>
			Array.from({ length: count }, (_, n) => `p${from + n}@example.com,2020-01-01`);
		const joinLongAgo = (from: number, count: number) =>
			json("import - --format csv", ["Email,created_at", ...old(from, count)].join("\n"));
		await add("ada@example.com");
		await joinLongAgo(0, 100);
		expect(await json("erase --older-than 24")).toMatchObject({ erased: 100 });
		await joinLongAgo(100, 101);
		expect(await run("erase --older-than 24")).toMatchObject({
			code: 1,
			stderr: expect.stringContaining("erase 101 of 102 people"),
		});
		await add(...Array.from({ length: 1000 }, (_, n) => `new${n}@example.com`));
		expect(await json("erase --older-than 24")).toMatchObject({ erased: 101 });
	});
});

describe("an erasure in SQLite", () => {
	it("leaves no byte of the address in any file", async () => {
		const { folder, json, add } = await openDesk("SQLite", cluster());
		await add("someone-unforgettable@example.com", "other@example.com");
		const server = await startServer({ folder });
		const bytes = () => bytesOf(folder);
		await postEmail(server.url, "later@example.com");
		expect(await bytes()).toContain("someone-unforgettable");
		await json("erase someone-unforgettable@example.com");
		expect(await bytes()).not.toContain("someone-unforgettable");
		expect(await bytes()).toContain("other@example.com");
	});

	it("leaves no byte either where SQLite left copies of index entries as it split pages", {
		tags: "slow",
	}, async () => {
		const { folder, json } = await openDesk("SQLite", cluster());
		const file = join(folder, "data/waitlist.db");
		const database = await openDatabase({ kind: "sqlite", file }, { create: true, alone: true });
		let state = 1;
		const random = () => {
			state = (Math.imul(state, 1103515245) + 12345) >>> 0;
			return state.toString(36).padStart(7, "0");
		};
		for (let n = 0; n < 400; n++) {
			const page = Array.from({ length: 50 }, () => {
				const key = `v${random()}@example.com`;
				const createdAt = new Date(1.7e12 + (state >>> 4)).toISOString();
				return { ...registrationOf(key), email: key.toUpperCase(), createdAt };
			});
			await addRegistrations(database, page);
		}
		await database.close();
		// Each key has a place in the table and in two indexes: a fourth one is left over.
		const places = new Map<string, number>();
		for (const [key] of (await readFile(file, "latin1")).matchAll(/v[a-z0-9]{7}@example\.com/g)) {
			places.set(key, (places.get(key) ?? 0) + 1);
		}
		const twice = [...places].filter(([, count]) => count > 3).map(([key]) => key);
		expect(twice.length).toBeGreaterThan(0);
		await json(`erase ${twice.slice(0, 20).join(" ")}`);
		const bytes = await readFile(file, "latin1");
		expect(twice.slice(0, 20).filter((key) => bytes.includes(key))).toEqual([]);
	});

	it("gives no receipt before the journal is empty, which a reader may delay", {
		tags: "slow",
	}, async () => {
		const { erasing, folder, isDeleted, reader, server } = await eraseBesideReader();
		let isOver = false;
		void erasing.then(() => {
			isOver = true;
		});
		await expect.poll(isDeleted).toBe(true);
		for (let n = 0; n < 50; n++) {
			expect((await postEmail(server.url, `visitor-${n}@example.com`)).status).toBe(201);
		}
		expect(await bytesOf(folder)).toContain("someone-unforgettable");
		expect(isOver).toBe(false);
		reader.exec("COMMIT");
		expect(await erasing).toMatchObject({ code: 0, stdout: expect.stringContaining("Receipt") });
		expect(await bytesOf(folder)).not.toContain("someone-unforgettable");
	});

	it("fails without a receipt while somebody keeps the journal from being emptied", {
		tags: "slow",
	}, async () => {
		const { erasing, folder, reader, run, server } = await eraseBesideReader();
		const statuses = new Set<number>();
		for (let n = 0; n < 50; n++) {
			statuses.add((await postEmail(server.url, `visitor-${n}@example.com`)).status);
		}
		const { code, stdout, stderr } = await erasing;
		expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
		expect(stderr).toMatch(/^The rows are deleted, but the erasure is not complete/);
		expect([...statuses]).toEqual([201]);
		reader.exec("COMMIT");
		const again = await run("erase someone-unforgettable@example.com");
		expect(again).toMatchObject({
			code: 3,
			stdout: expect.stringContaining("Not on the waitlist"),
		});
		expect(await bytesOf(folder)).not.toContain("someone-unforgettable");
	});
});

/** An erasure while another program reads, so that the journal cannot be emptied. */
async function eraseBesideReader() {
	const { folder, run, add } = await openDesk("SQLite", cluster());
	await add("someone-unforgettable@example.com", "other@example.com");
	const file = join(folder, "data/waitlist.db");
	const reader = connect(file);
	onTestFinished(() => reader.close());
	reader.exec("BEGIN");
	reader.prepare("SELECT count(*) FROM registration").get();
	const server = await startServer({ folder });
	const erasing = run("erase someone-unforgettable@example.com");
	const isDeleted = () => !readRows(file).some(({ email }) => email.startsWith("someone"));
	return { erasing, folder, isDeleted, reader, run, server };
}

/** Everything that SQLite has written, and the key of the proofs. */
async function bytesOf(folder: string): Promise<string> {
	const files = ["waitlist.db", "waitlist.db-wal", "waitlist.db.erasure-key"];
	const read = files.map((name) => readFile(join(folder, "data", name)).catch(() => ""));
	return (await Promise.all(read)).map(String).join("");
}
