import { open } from "node:fs/promises";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { query } from "../../../bench/harness/postgres-cluster.ts";
import { createReadiness } from "../../../src/server/database/readiness.ts";
import type { Waitlist } from "../../../src/server/waitlist/waitlist.ts";
import { connect, readRows } from "../../read-rows.ts";
import { postEmail, type ServerProcess, startServer } from "../../server-process.ts";
import { temporaryFolder } from "../../temporary.ts";
import { openSmallDisk } from "../small-disk.ts";
import { placeOf, usePostgres } from "./databases.ts";

const cluster = usePostgres();

const readiness = async (server: ServerProcess) =>
	(await fetch(new URL("/readyz", server.url))).status;

/** Readiness is asked of the database once a second at most. */
const expectReadiness = (server: ServerProcess, status: number) =>
	expect.poll(() => readiness(server), { interval: 300 }).toBe(status);

const join = async (server: ServerProcess) =>
	(await postEmail(server.url, `visitor-${Math.random()}@example.com`)).status;

describe("a server on SQLite is not ready", () => {
	it("while its disk is full, and is ready again when there is room", async () => {
		const disk = await openSmallDisk();
		const server = await startServer(disk);
		await expectReadiness(server, 200);
		let status = 201;
		for (let n = 0; status === 201 && n < 5000; n++) status = await join(server);
		expect(status).toBe(503);
		await expectReadiness(server, 503);
		await disk.enlarge(server.process.pid!);
		await expectReadiness(server, 200);
		expect(await join(server)).toBe(201);
	});

	it("while its file is damaged", async () => {
		const server = await startServer({ folder: await temporaryFolder() });
		for (let n = 0; n < 200; n++) expect(await join(server)).toBe(201);
		await expectReadiness(server, 200);
		const checkpoint = connect(server.file);
		checkpoint.exec("PRAGMA wal_checkpoint(TRUNCATE)");
		const { page_size: size } = checkpoint.prepare("PRAGMA page_size").get() as {
			page_size: number;
		};
		const { rootpage } = checkpoint
			.prepare("SELECT rootpage FROM sqlite_master WHERE name = 'registration'")
			.get() as { rootpage: number };
		checkpoint.close();
		// The table, which a join writes to; its indexes can still be read.
		const file = await open(server.file, "r+");
		await file.write(Buffer.alloc(size, 0x5a), 0, size, (rootpage - 1) * size);
		await file.close();
		// As another program's commit does, this makes the server read the pages anew.
		const other = connect(server.file);
		other.exec("PRAGMA application_id = 7");
		other.close();
		expect(await join(server)).toBe(503);
		await expectReadiness(server, 503);
	});

	it("while another program keeps it from writing", async () => {
		const server = await startServer({ folder: await temporaryFolder() });
		await expectReadiness(server, 200);
		const other = connect(server.file);
		onTestFinished(() => other.close());
		other.exec("BEGIN IMMEDIATE");
		await expectReadiness(server, 503);
		other.exec("ROLLBACK");
		await expectReadiness(server, 200);
	});
});

describe("a server on PostgreSQL is not ready", () => {
	it.each([
		[
			"without the right to add rows",
			"REVOKE INSERT ON registration FROM PUBLIC, visitor",
			"GRANT INSERT ON registration TO visitor",
		],
		[
			"while the database takes no writes, as a replica",
			"ALTER ROLE visitor SET default_transaction_read_only = on",
			"ALTER ROLE visitor RESET default_transaction_read_only",
		],
	])("%s", async (_, take, give) => {
		const { folder, settings } = await placeOf("PostgreSQL", cluster());
		const owner = (settings as { url: string }).url;
		// The owner makes the tables. The server runs with the rights of a join and no others.
		const first = await startServer({ folder, env: { DATABASE_URL: owner } });
		first.process.kill("SIGTERM");
		await first.ended;
		await query(
			owner,
			`DROP ROLE IF EXISTS visitor; CREATE ROLE visitor LOGIN;
			GRANT SELECT, INSERT ON registration TO visitor; GRANT SELECT ON waitlist_schema TO visitor`,
		);
		onTestFinished(
			async () => void (await query(owner, "DROP OWNED BY visitor; DROP ROLE visitor")),
		);
		const url = new URL(owner);
		url.username = "visitor";
		const start = () => startServer({ folder, env: { DATABASE_URL: url.href } });
		const able = await start();
		await expectReadiness(able, 200);
		expect(await join(able)).toBe(201);
		await query(owner, take);
		const unable = await start();
		expect(await join(unable)).toBe(503);
		await expectReadiness(unable, 503);
		await query(owner, give);
		const again = await start();
		await expectReadiness(again, 200);
		expect(await join(again)).toBe(201);
	});
});

describe("the question whether a server is ready", () => {
	it("leaves no row, and reaches the database once for many who ask", async () => {
		const { folder, settings, emails } = await placeOf("PostgreSQL", cluster());
		const { url } = settings as { url: string };
		const server = await startServer({ folder, env: { DATABASE_URL: url } });
		const inserted = async () => {
			const [row] = await query<{ inserted: string }>(
				url,
				"SELECT pg_stat_clear_snapshot(), n_tup_ins AS inserted FROM pg_stat_user_tables WHERE relname = 'registration'",
			);
			return Number(row!.inserted);
		};
		const statuses = await Promise.all(Array.from({ length: 200 }, () => readiness(server)));
		expect(new Set(statuses)).toEqual(new Set([200]));
		await expect.poll(inserted).toBeGreaterThan(0);
		server.process.kill("SIGTERM");
		await server.ended;
		// Each second the first one reaches it. How many seconds these take is the machine's to say.
		expect(await inserted()).toBeLessThan(200 / 4);
		expect(await emails()).toEqual(new Set());
	});

	it("is not asked again while the database owes the answer", async () => {
		let asked = 0;
		let reply: (ready: boolean) => void = () => {};
		const waitlist = {
			isReady: () => {
				asked += 1;
				return new Promise<boolean>((resolve) => {
					reply = resolve;
				});
			},
		} as Waitlist;
		let nowMs = 0;
		const { isReady } = createReadiness(waitlist, () => nowMs);
		const answers = Array.from({ length: 10 }, () => {
			nowMs += 1000;
			return isReady();
		});
		expect(asked).toBe(1);
		reply(true);
		expect(await Promise.all(answers)).toEqual(Array(10).fill(true));
		nowMs += 1000;
		void isReady();
		expect(asked).toBe(2);
	});

	it("is answered for a second by what the database last said", async () => {
		let ready = true;
		const asked = vi.fn(async () => ready);
		let nowMs = 0;
		const { isReady } = createReadiness(
			{ isReady: asked } as Partial<Waitlist> as Waitlist,
			() => nowMs,
		);
		expect(await isReady()).toBe(true);
		ready = false;
		nowMs = 999;
		expect(await isReady()).toBe(true);
		expect(asked).toHaveBeenCalledTimes(1);
		nowMs = 1000;
		expect(await isReady()).toBe(false);
		expect(asked).toHaveBeenCalledTimes(2);
	});

	it("leaves no row in a file", async () => {
		const server = await startServer({ folder: await temporaryFolder() });
		expect(await readiness(server)).toBe(200);
		expect(await join(server)).toBe(201);
		expect(readRows(server.file)).toHaveLength(1);
	});
});
