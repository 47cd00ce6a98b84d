import { describe, expect, it, onTestFinished } from "vitest";
import { query } from "../../../bench/harness/postgres-cluster.ts";
import { openPostgres } from "../../../src/server/database/postgres/postgres.ts";
import { peopleOf } from "../../given/given.ts";
import { openServer } from "../waitlist/databases.ts";
import { registrationOf } from "../waitlist/waitlist-contract.ts";
import { usePoolers } from "./pooled.ts";

const { cluster, through } = usePoolers();

/** A new database: its address, and the one behind a pooler that gives each transaction a session. */
async function place() {
	const direct = await cluster().createDatabase();
	return { direct, url: await through("transaction", direct) };
}

/** Opens a database as a server does, but for the longest time of a statement. */
async function open(url: string, queryMs = 3000) {
	const database = await openPostgres(url, { place: "the place", connections: 3, queryMs });
	onTestFinished(() => database.close());
	return database;
}

describe("behind a pooler that gives each transaction another session", () => {
	it("each statement that hangs ends, alone and in a transaction", async () => {
		const { direct, url } = await place();
		const { commit, query: ask, run, snapshot, transaction } = await open(url, 250);
		const hang = { sql: "SELECT pg_sleep(600)" };
		const hanging = [
			() => ask(hang.sql),
			() => commit({ hang }),
			() => run({ one: { sql: "SELECT 1" }, hang }),
			() => transaction((query) => query(hang.sql)),
			() => snapshot((query) => query(hang.sql)),
		];
		for (const hangs of hanging)
			await expect(hangs()).rejects.toThrow(/(?:statement|read) timeout/);
		// The client has given up as well: what counts is that PostgreSQL did.
		const active = "SELECT pid FROM pg_stat_activity WHERE state = 'active' AND query = $$";
		await expect.poll(() => query(direct, `${active}${hang.sql}$$`)).toEqual([]);
	});

	it("what is acknowledged is on disk, whatever its role commits like", async () => {
		const { direct, url } = await place();
		await query(direct, "ALTER ROLE orbit SET synchronous_commit = off");
		onTestFinished(async () => void (await query(direct, "ALTER ROLE orbit RESET ALL")));
		const { commit, query: ask, run, snapshot, transaction } = await open(url);
		const show = "SELECT current_setting('synchronous_commit') AS set";
		const on = [{ set: "on" }];
		for (let time = 0; time < 8; time++) {
			expect(await ask(show)).toEqual(on);
			expect((await commit({ show: { sql: show } })).show).toEqual(on);
			const both = await run({ one: { sql: "SELECT 1" }, show: { sql: show } });
			expect(both.show).toEqual(on);
			expect(await transaction((query) => query(show))).toEqual(on);
			expect(await snapshot((query) => query(show))).toEqual(on);
		}
	});

	it("joins are kept, each once, and the database shows that it would keep more", async () => {
		const { direct, url } = await place();
		const { waitlist } = await openServer({ kind: "postgres", url });
		onTestFinished(() => waitlist.close());
		const emails = Array.from({ length: 40 }, (_, n) => `visitor-${n % 30}@example.com`);
		const outcomes: string[] = [];
		// One after the other, so that each is a transaction.
		for (const email of emails) outcomes.push(await waitlist.join(registrationOf(email)));
		expect(outcomes).toEqual([...Array(30).fill("registered"), ...Array(10).fill("duplicate")]);
		expect(await waitlist.isReady()).toBe(true);
		expect(await peopleOf({ settings: { kind: "postgres", url: direct } })).toHaveLength(30);
	});

	it("no setting and no statement is left in a session, which another client gets", async () => {
		const { direct, url } = await place();
		const { commit, query: ask, snapshot } = await open(url);
		for (let time = 0; time < 8; time++) {
			await Promise.all([
				commit({ one: { sql: "SELECT 1" } }),
				ask("SELECT $1", ["two"]),
				snapshot((query) => query("SELECT 3")),
			]);
		}
		const [own] = await query(direct, "SHOW statement_timeout");
		for (let time = 0; time < 8; time++) {
			expect(await query(url, "SHOW statement_timeout")).toEqual([own]);
			expect(await query(url, "SELECT name FROM pg_prepared_statements")).toEqual([]);
		}
	});
});
