/** @module-tag slow */
import { expect, it, onTestFinished } from "vitest";
import { query } from "../../../bench/harness/postgres-cluster.ts";
import { postEmail, startServer } from "../../server-process.ts";
import { placeOf, useOwnPostgres } from "../registrations/databases.ts";

const cluster = useOwnPostgres();

const emails = Array.from({ length: 20 }, (_, n) => `visitor-${n}@example.com`);

/** Whoever connects from now on may lose the commits of the last ten seconds in a crash. */
async function commitWithoutWaiting(url: string): Promise<void> {
	await query(url, "ALTER SYSTEM SET wal_writer_delay = '10s'");
	await query(url, "SELECT pg_reload_conf()");
	await query(url, "ALTER ROLE orbit SET synchronous_commit = off");
	onTestFinished(async () => void (await query(url, "ALTER ROLE orbit RESET synchronous_commit")));
}

async function crash(): Promise<void> {
	await cluster().stop("SIGQUIT");
	await cluster().start();
}

it("keeps every join through a crash, though its role commits without waiting from now on", async () => {
	const { folder, env, ...place } = await placeOf("PostgreSQL", cluster());
	const url = env.DATABASE_URL!;
	const server = await startServer({ folder, env });
	expect((await postEmail(server.url, "first@example.com")).status).toBe(201);
	await commitWithoutWaiting(url);
	const ours = "FROM pg_stat_activity WHERE application_name = 'waitlist'";
	await query(url, `SELECT pg_terminate_backend(pid) ${ours}`);
	const acknowledged: string[] = [];
	for (const email of emails) {
		if ((await postEmail(server.url, email)).status === 201) acknowledged.push(email);
	}
	expect(acknowledged.length).toBeGreaterThan(emails.length / 2);
	expect((await fetch(new URL("/readyz", server.url))).status).toBe(200);
	await crash();
	const kept = await place.emails();
	expect(acknowledged.filter((email) => !kept.has(email))).toEqual([]);
});
