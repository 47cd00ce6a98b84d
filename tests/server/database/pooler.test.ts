import { afterAll, describe, expect, it, onTestFinished } from "vitest";
import { type PgBouncer, type PoolMode, startPgBouncer } from "../../../bench/harness/pgbouncer.ts";
import { query } from "../../../bench/harness/postgres-cluster.ts";
import { openPostgres } from "../../../src/server/database/postgres.ts";
import { sql } from "../../../src/server/database/sql.ts";
import { postEmail, stopServer } from "../../server-process.ts";
import { each } from "../each.ts";
import { startCopies } from "../kills.ts";
import { useOwnPostgres } from "../registrations/databases.ts";
import { linksIn, openMailDesk } from "../waves/mail-desk.ts";

const cluster = useOwnPostgres();

const poolers = new Map<string, Promise<PgBouncer>>();
afterAll(async () => {
	for (const pooler of poolers.values()) await (await pooler).stop();
});

/** The address of a database through a pooler. */
async function through(mode: PoolMode, url: string): Promise<string> {
	const name = `${mode} ${new URL(url).port}`;
	if (!poolers.has(name)) poolers.set(name, startPgBouncer(url, mode));
	return (await poolers.get(name)!).before(url);
}

/** A new database: its address, and the one behind a pooler that gives each transaction a session. */
async function place() {
	const direct = await cluster().createDatabase();
	return { direct, url: await through("transaction", direct) };
}

/** Opens a database as a server does, but for the longest time of a statement. */
async function open(url: string, queryMs = 3000) {
	const database = await openPostgres(url, { connections: 3, queryMs, name: "waitlist" });
	onTestFinished(() => database.close());
	return database;
}

describe("behind a pooler that gives each transaction another session", () => {
	it("each statement that hangs ends, alone and in a transaction", async () => {
		const { direct, url } = await place();
		const { all, transact } = await open(url, 250);
		const hang = sql`SELECT pg_sleep(600)`;
		const hanging = [() => all(hang), () => transact(({ all }) => all(hang), undefined)];
		for (const hangs of hanging)
			await expect(hangs()).rejects.toThrow(/(?:statement|read) timeout/);
		// The client has given up as well: what counts is that PostgreSQL did.
		const active = "SELECT pid FROM pg_stat_activity WHERE state = 'active' AND query = $$";
		await expect.poll(() => query(direct, `${active}${hang.text}$$`)).toEqual([]);
	});

	it("what is acknowledged is on disk, whatever its role commits like", async () => {
		const { direct, url } = await place();
		await query(direct, "ALTER ROLE orbit SET synchronous_commit = off");
		onTestFinished(async () => void (await query(direct, "ALTER ROLE orbit RESET ALL")));
		const { all, read, transact } = await open(url);
		const show = sql`SELECT current_setting('synchronous_commit') AS set`;
		const on = [{ set: "on" }];
		for (let time = 0; time < 8; time++) {
			expect(await all(show)).toEqual(on);
			expect(await transact(({ all }) => all(show), undefined)).toEqual(on);
			expect(await read(({ all }) => all(show), undefined)).toEqual(on);
		}
	});

	it("no setting and no statement is left in a session, which another client gets", async () => {
		const { direct, url } = await place();
		const { transact, all, read } = await open(url);
		for (let time = 0; time < 8; time++) {
			await Promise.all([
				transact(({ all }) => all(sql`SELECT 1`), undefined),
				all(sql`SELECT ${"two"}`),
				read(({ all }) => all(sql`SELECT 3`), undefined),
			]);
		}
		const [own] = await query(direct, "SHOW statement_timeout");
		for (let time = 0; time < 8; time++) {
			expect(await query(url, "SHOW statement_timeout")).toEqual([own]);
			expect(await query(url, "SELECT name FROM pg_prepared_statements")).toEqual([]);
		}
	});
});

const emails = Array.from({ length: 300 }, (_, n) => `visitor-${n}@example.com`);

it.each<PoolMode>(["session", "transaction"])(
	"behind PgBouncer, by %s, servers start, people join and are written to, a wave is sent, and codes are redeemed",
	{ tags: "slow" },
	async (mode) => {
		const desk = await openMailDesk("PostgreSQL");
		desk.env.DATABASE_URL = await through(mode, desk.env.DATABASE_URL!);
		const { arrived, json, kept, redeem } = desk;
		const { running } = await startCopies(desk.start, 2);
		const serverOf = (n: number) => running[n % running.length]!.url;
		await each(emails, async (email, n) => {
			expect((await postEmail(serverOf(n), email)).status).toBe(201);
		});
		await expect.poll(() => kept.length).toBe(emails.length);
		expect(arrived()).toBe(emails.length);
		const links = await Promise.all(kept.splice(0).map(linksIn));
		const click = async (path: string, n: number) =>
			expect((await fetch(new URL(path, serverOf(n)), { method: "POST" })).status).toBe(200);
		await each(links.slice(0, 100), ({ confirm }, n) => click(confirm, n));
		await each(links.slice(290), ({ leave }, n) => click(leave, n));
		await json("invite 50 --wave beta-1 --yes");
		await expect.poll(() => kept.length).toBe(50);
		const codes = [...(await desk.codes())];
		await each(codes, async (code, n) => {
			expect(await redeem(serverOf(n), code)).toMatchObject({ status: "redeemed" });
			expect(await redeem(serverOf(n + 1), code)).toMatchObject({ status: "used" });
		});
		const numbers = { total: 300, people: { confirmed: 100, left: 10 } };
		expect(await json("stats")).toMatchObject(numbers);
		expect(await json("delete visitor-8@example.com")).toBeDefined();
		const { code, stdout } = await desk.run("check");
		expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringContaining("PostgreSQL") });

		// A backup is whole while people join, and comes back through the pooler.
		const joining = each(emails, async (email, n) => {
			expect((await postEmail(serverOf(n), `later-${email}`)).status).toBe(201);
		});
		await json("backup today.db");
		await joining;
		for (const server of running) {
			await stopServer(server);
			expect(server.logged().filter(({ level }) => level === "error")).toEqual([]);
		}
		await desk.lose();
		await desk.restore("today.db");
		const { total } = (await json("stats")) as { total: number };
		expect(total).toBeGreaterThanOrEqual(299);
	},
);
