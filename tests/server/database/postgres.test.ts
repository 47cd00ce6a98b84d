import { describe, expect, it, onTestFinished, vi } from "vitest";
import { query } from "../../../bench/harness/postgres-cluster.ts";
import { openPostgres } from "../../../src/server/database/postgres.ts";
import { SCHEMA_VERSION } from "../../../src/server/database/schema.ts";
import type { Log } from "../../../src/server/log.ts";
import type { Registration } from "../../../src/server/registrations/registrations.ts";
import { openServer, useOwnPostgres } from "../registrations/databases.ts";
import { registrationOf, waitlistContract } from "../registrations/waitlist-contract.ts";

const cluster = useOwnPostgres();

const rowsIn = (url: string) =>
	query<Registration>(
		url,
		`SELECT email_key AS key, email, source, joined_at AS "joinedAt", terms, flag
		FROM registration`,
	);

const opened = (url: string) =>
	openPostgres(url, { connections: 3, queryMs: 3000, name: "waitlist" });

/** Opens a waitlist, closed when the test is over. */
async function open(url: string, log?: Log) {
	const { waitlist } = await openServer({ kind: "postgres", url }, log);
	onTestFinished(() => waitlist.close());
	return waitlist;
}

describe("a waitlist in PostgreSQL", () => {
	waitlistContract(async () => {
		const url = await cluster().createDatabase();
		return { waitlist: await open(url), rows: () => rowsIn(url) };
	});

	it("is set up by several copies that start at once on an empty database", async () => {
		const url = await cluster().createDatabase();
		const copies = await Promise.all(Array.from({ length: 8 }, () => open(url)));
		const outcomes = await Promise.all(
			copies.map((waitlist) => waitlist.join(registrationOf("ada@example.com"))),
		);
		expect(outcomes.sort()).toEqual([...Array(7).fill("duplicate"), "registered"]);
		expect(await query(url, "SELECT version FROM waitlist_schema")).toEqual([
			{ version: SCHEMA_VERSION },
		]);
	});

	it("takes the same keys in different orders from several copies without a deadlock", {
		tags: "slow",
	}, async () => {
		const url = await cluster().createDatabase();
		const copies = await Promise.all(Array.from({ length: 4 }, () => open(url)));
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
		const [{ deadlocks }] = (await query<{ deadlocks: string }>(
			url,
			"SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()",
		)) as [{ deadlocks: string }];
		expect(deadlocks).toBe("0");
	});

	it("tries again after a conflict, and gives up after four in a row", {
		tags: "slow",
	}, async () => {
		const url = await cluster().createDatabase();
		const log = vi.fn();
		const waitlist = await open(url, log);
		// The first inserts fail as PostgreSQL's own conflicts do.
		await query(
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
		await query(url, "ALTER SEQUENCE tries RESTART 2");
		expect(await waitlist.join(registrationOf("ada@example.com"))).toBe("registered");
		expect(await rowsIn(url)).toHaveLength(1);
	});
});

describe("a PostgreSQL", () => {
	it("is refused when its encoding cannot hold every address, or a newer version wrote it", {
		tags: "slow",
	}, async () => {
		const url = await cluster().createDatabase();
		await query(url, "CREATE DATABASE latin ENCODING 'LATIN1' TEMPLATE template0");
		const latin = new URL(url);
		latin.pathname = "/latin";
		await expect(opened(latin.href)).rejects.toThrow("its encoding is LATIN1 instead of UTF8");
		await (await opened(url)).close();
		await query(url, "UPDATE waitlist_schema SET version = 99");
		await expect(opened(url)).rejects.toThrow("a newer version of this server");
	});

	it("sorts by bytes, whatever its language", async () => {
		const german = new URL(await cluster().createDatabase());
		await query(
			german.href,
			"CREATE DATABASE german TEMPLATE template0 LOCALE_PROVIDER icu ICU_LOCALE 'de-DE'",
		);
		german.pathname = "/german";
		const waitlist = await open(german.href);
		for (const name of ["é", "z"]) await waitlist.join(registrationOf(`${name}@example.com`));
		const rows = await query(german.href, "SELECT email_key FROM registration ORDER BY email_key");
		expect(rows).toEqual([{ email_key: "z@example.com" }, { email_key: "é@example.com" }]);
	});
});
