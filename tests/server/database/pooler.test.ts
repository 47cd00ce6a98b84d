/** @module-tag nodes */
import { afterAll, describe, expect, it, onTestFinished, vi } from "vitest";
import { queryPostgres } from "../../../bench/harness/postgres-cluster.ts";
import { openPostgres } from "../../../src/server/database/postgres.ts";
import { SCHEMA_VERSION } from "../../../src/server/database/schema.ts";
import { sql } from "../../../src/server/database/sql.ts";
import type { Log } from "../../../src/server/log.ts";
import type { Registration } from "../../../src/server/registrations/registrations.ts";
import { type PgBouncer, type PoolMode, startPgBouncer } from "../../pgbouncer.ts";
import { postJoin, stopServer } from "../../server-process.ts";
import { forEachConcurrently } from "../for-each-concurrently.ts";
import { startServerCopies } from "../kills.ts";
import { openWaitlistDatabase, startPostgresForFile } from "../registrations/databases.ts";
import { registrationOf, testWaitlistContract } from "../registrations/waitlist-contract.ts";
import { openMailSetup, readEmailLinks } from "../waves/mail-setup.ts";

const cluster = startPostgresForFile();

const poolers = new Map<string, Promise<PgBouncer>>();
afterAll(async () => {
	for (const pooler of poolers.values()) await (await pooler).stop();
});

async function through(mode: PoolMode, url: string): Promise<string> {
	const name = `${mode} ${new URL(url).port}`;
	if (!poolers.has(name)) poolers.set(name, startPgBouncer(url, mode));
	return (await poolers.get(name)!).before(url);
}

async function place() {
	const direct = await cluster().createDatabase();
	return { direct, url: await through("transaction", direct) };
}

async function open(url: string, queryMs = 3000) {
	const database = await openPostgres(url, { connections: 3, queryMs, name: "waitlist" });
	onTestFinished(() => database.close());
	return database;
}

describe("behind a pooler that gives each transaction another session", () => {
	it("hanging statements time out, alone and in a transaction", async () => {
		const { direct, url } = await place();
		const { all, transact } = await open(url, 250);
		const hang = sql`SELECT pg_sleep(600)`;
		const hanging = [() => all(hang), () => transact(({ all }) => all(hang), undefined)];
		for (const hangs of hanging)
			await expect(hangs()).rejects.toThrow(/(?:statement|read) timeout/);
		// The client's timeout rejects first. This checks that PostgreSQL has ended the query, too.
		const active = "SELECT pid FROM pg_stat_activity WHERE state = 'active' AND query = $$";
		await expect.poll(() => queryPostgres(direct, `${active}${hang.text}$$`)).toEqual([]);
	});

	it("acknowledged joins are on disk, even if the role commits asynchronously", async () => {
		const { direct, url } = await place();
		await queryPostgres(direct, "ALTER ROLE orbit SET synchronous_commit = off");
		onTestFinished(async () => void (await queryPostgres(direct, "ALTER ROLE orbit RESET ALL")));
		const { all, read, transact } = await open(url);
		const show = sql`SELECT current_setting('synchronous_commit') AS set`;
		const on = [{ set: "on" }];
		for (let time = 0; time < 8; time++) {
			expect(await all(show)).toEqual(on);
			expect(await transact(({ all }) => all(show), undefined)).toEqual(on);
			expect(await read(({ all }) => all(show), undefined)).toEqual(on);
		}
	});

	it("leaves no setting or statement in a session for the next client", async () => {
		const { direct, url } = await place();
		const { transact, all, read } = await open(url);
		for (let time = 0; time < 8; time++) {
			await Promise.all([
				transact(({ all }) => all(sql`SELECT 1`), undefined),
				all(sql`SELECT ${"two"}`),
				read(({ all }) => all(sql`SELECT 3`), undefined),
			]);
		}
		const [own] = await queryPostgres(direct, "SHOW statement_timeout");
		for (let time = 0; time < 8; time++) {
			expect(await queryPostgres(url, "SHOW statement_timeout")).toEqual([own]);
			expect(await queryPostgres(url, "SELECT name FROM pg_prepared_statements")).toEqual([]);
		}
	});
});

const emails = Array.from({ length: 300 }, (_, n) => `visitor-${n}@example.com`);

it.each<PoolMode>(["session", "transaction"])(
	"behind PgBouncer in %s mode, servers start, people join and get emails, a wave is sent, and codes are redeemed",
	{ tags: "slow" },
	async (mode) => {
		const setup = await openMailSetup("PostgreSQL");
		setup.env.DATABASE_URL = await through(mode, setup.env.DATABASE_URL!);
		const { arrived, json, kept, redeem } = setup;
		const { running } = await startServerCopies(setup.start, 2);
		const serverOf = (n: number) => running[n % running.length]!.url;
		await forEachConcurrently(emails, async (email, n) => {
			expect((await postJoin(serverOf(n), email)).status).toBe(201);
		});
		await expect.poll(() => kept.length).toBe(emails.length);
		expect(arrived()).toBe(emails.length);
		const links = await Promise.all(kept.splice(0).map(readEmailLinks));
		const click = async (path: string, n: number) =>
			expect((await fetch(new URL(path, serverOf(n)), { method: "POST" })).status).toBe(200);
		await forEachConcurrently(links.slice(0, 100), ({ confirm }, n) => click(confirm, n));
		await forEachConcurrently(links.slice(290), ({ unsubscribe }, n) => click(unsubscribe, n));
		await json("invite 50 --wave beta-1 --yes");
		await expect.poll(() => kept.length).toBe(50);
		const codes = [...(await setup.codes())];
		await forEachConcurrently(codes, async (code, n) => {
			expect(await redeem(serverOf(n), code)).toMatchObject({ status: "redeemed" });
			expect(await redeem(serverOf(n + 1), code)).toMatchObject({ status: "used" });
		});
		const numbers = { total: 300, people: { confirmed: 100, unsubscribed: 10 } };
		expect(await json("stats")).toMatchObject(numbers);
		expect(await json("delete visitor-8@example.com")).toBeDefined();
		const { code, stdout } = await setup.run("check");
		expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringContaining("PostgreSQL") });

		const joining = forEachConcurrently(emails, async (email, n) => {
			expect((await postJoin(serverOf(n), `later-${email}`)).status).toBe(201);
		});
		await json("backup today.db");
		await joining;
		for (const server of running) {
			await stopServer(server);
			expect(server.logged().filter(({ level }) => level === "error")).toEqual([]);
		}
		await setup.lose();
		await setup.restore("today.db");
		const { total } = (await json("stats")) as { total: number };
		expect(total).toBeGreaterThanOrEqual(299);
	},
);

const rowsSql = (url: string) =>
	queryPostgres<Registration>(
		url,
		`SELECT email_key AS key, email, source, joined_at AS "joinedAt", terms, flag
		FROM registration`,
	);

async function openWaitlist(url: string, log?: Log) {
	const { waitlist } = await openWaitlistDatabase({ kind: "postgres", url }, log);
	onTestFinished(() => waitlist.close());
	return waitlist;
}

describe("a waitlist in PostgreSQL", () => {
	testWaitlistContract(async () => {
		const url = await cluster().createDatabase();
		return { waitlist: await openWaitlist(url), rows: () => rowsSql(url) };
	});

	it("is set up once by several servers that start together on an empty database", async () => {
		const url = await cluster().createDatabase();
		const copies = await Promise.all(Array.from({ length: 8 }, () => openWaitlist(url)));
		const outcomes = await Promise.all(
			copies.map((waitlist) => waitlist.join(registrationOf("ada@example.com"))),
		);
		expect(outcomes.sort()).toEqual([...Array(7).fill("duplicate"), "registered"]);
		expect(await queryPostgres(url, "SELECT version FROM waitlist_schema")).toEqual([
			{ version: SCHEMA_VERSION },
		]);
	});

	it("accepts the same keys in different orders from several servers without deadlock", {
		tags: "slow",
	}, async () => {
		const url = await cluster().createDatabase();
		const copies = await Promise.all(Array.from({ length: 4 }, () => openWaitlist(url)));
		const emails = Array.from({ length: 2000 }, (_, n) => `visitor-${n}@example.com`);
		const outcomes = await Promise.all(
			copies.flatMap((waitlist, copy) =>
				emails
					.map((_, n) => emails[(n * [1, 7, 1999, 333][copy]!) % emails.length]!)
					.map((email) => waitlist.join(registrationOf(email))),
			),
		);
		expect(outcomes.filter((outcome) => outcome === "unavailable")).toHaveLength(0);
		expect(outcomes.filter((outcome) => outcome === "registered")).toHaveLength(emails.length);
		const [{ deadlocks }] = (await queryPostgres<{ deadlocks: string }>(
			url,
			"SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()",
		)) as [{ deadlocks: string }];
		expect(deadlocks).toBe("0");
	});

	it("retries after a conflict, and gives up after four in a row", { tags: "slow" }, async () => {
		const url = await cluster().createDatabase();
		const log = vi.fn();
		const waitlist = await openWaitlist(url, log);
		// Makes the first inserts fail with deadlock and serialization errors.
		await queryPostgres(
			url,
			`CREATE SEQUENCE tries;
			CREATE FUNCTION conflict() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
				CASE nextval('tries')
					WHEN 1 THEN RAISE EXCEPTION 'conflict 1' USING ERRCODE = '40P01';
					WHEN 2, 3, 4 THEN RAISE EXCEPTION 'conflict %', currval('tries') USING ERRCODE = '40001';
					ELSE RETURN NEW;
				END CASE;
			END $$;
			CREATE TRIGGER conflict BEFORE INSERT ON registration
			FOR EACH ROW EXECUTE FUNCTION conflict()`,
		);
		expect(await waitlist.join(registrationOf("ada@example.com"))).toBe("unavailable");
		expect(log.mock.calls).toMatchObject([
			["error", "waitlist unavailable", { error: { message: "conflict 4" } }],
		]);
		await queryPostgres(url, "ALTER SEQUENCE tries RESTART 2");
		expect(await waitlist.join(registrationOf("ada@example.com"))).toBe("registered");
		expect(await rowsSql(url)).toHaveLength(1);
	});
});

async function createWith(url: string, name: string, how: string): Promise<string> {
	await queryPostgres(url, `CREATE DATABASE ${name} TEMPLATE template0 ${how}`);
	return new URL(`/${name}`, url).href;
}

it("a PostgreSQL is refused if it does not sync, if its encoding cannot store every address, or if a newer server migrated it", {
	tags: "slow",
}, async () => {
	const url = await cluster().createDatabase();
	const set = async (fsync: string) => {
		await queryPostgres(url, `ALTER SYSTEM SET fsync = ${fsync}`);
		await queryPostgres(url, "SELECT pg_reload_conf()");
	};
	onTestFinished(() => set("on"));
	await set("off");
	const opening = () => open(url).then(() => "opened", String);
	await expect.poll(opening).toContain("its fsync is off: acknowledged addresses could be lost.");
	await set("on");
	await expect.poll(opening).toBe("opened");
	const latin = await createWith(url, "latin", "ENCODING 'LATIN1'");
	await expect(open(latin)).rejects.toThrow("its encoding is LATIN1 instead of UTF8");
	await open(url);
	await queryPostgres(url, "UPDATE waitlist_schema SET version = 99");
	await expect(open(url)).rejects.toThrow("a newer version of this server");
});
