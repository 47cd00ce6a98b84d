import { expect, it, onTestFinished } from "vitest";
import { startMailServer } from "../../../bench/harness/mail-server.ts";
import { openDatabase } from "../../../src/server/database/open-database.ts";
import { startServer } from "../../server-process.ts";
import { sized } from "../../sized.ts";
import { seed } from "../chance.ts";
import { startCopies } from "../kills.ts";
import { ERASURE_KEY } from "../operator/desk.ts";
import { type DatabaseKind, placeOf, usePostgres } from "../waitlist/databases.ts";
import { lettersBy } from "../waitlist/with-letters.ts";

const KILLS = sized(3, 50);
const LETTERS = sized(120, 2000);
/** Letters under way at the same time. */
const CONNECTIONS = 5;

const cluster = usePostgres();

const servers: [DatabaseKind, number][] = [
	["SQLite", 1],
	["PostgreSQL", 1],
	["PostgreSQL", 2],
];

it.each(sized(servers.slice(-1), servers))(
	`writes to nobody twice through ${KILLS} SIGKILLs on %s, %i servers (seed ${seed})`,
	async (kind, copies) => {
		const { env, folder, settings } = await placeOf(kind, cluster());
		const mailServer = await startMailServer();
		onTestFinished(() => mailServer.stop());
		Object.assign(env, lettersBy(mailServer), {
			...{ WAITLIST_ERASURE_KEY: ERASURE_KEY, WAITLIST_ERASURES: `${folder}/erasures` },
		});
		const { killOne } = await startCopies(() => startServer({ folder, env }), copies);
		const database = await openDatabase(settings, { create: false });
		onTestFinished(() => database.close());
		await database.query(
			`INSERT INTO outbox (one, paused_until) VALUES (1, '9999')
			ON CONFLICT (one) DO UPDATE SET paused_until = '9999'`,
		);
		await fill(database.query);
		await database.query("UPDATE outbox SET paused_until = ''");
		for (let kill = 0; kill < KILLS; kill++) {
			const begun = mailServer.kept.length;
			await expect
				.poll(() => mailServer.kept.length, { interval: 1, timeout: 20_000 })
				.toBeGreaterThan(Math.min(begun, LETTERS - CONNECTIONS * copies * (kill + 1)));
			await killOne();
		}
		const count = async (states: string) => {
			const [row] = await database.query<{ count: number }>(
				`SELECT CAST(count(*) AS INTEGER) AS count FROM letter WHERE state IN (${states})`,
			);
			return row!.count;
		};
		await expect.poll(() => count("'waiting'"), { timeout: 60_000, interval: 200 }).toBe(0);
		// Those of the last servers come to their end.
		await expect
			.poll(() => count("'sending'"), { timeout: 20_000, interval: 100 })
			.toBeLessThanOrEqual(KILLS * CONNECTIONS);
		const received = mailServer.kept.map(({ to }) => to);
		expect(received.length).toBe(new Set(received).size);
		const accepted = await count("'accepted'");
		const open = await count("'sending', 'unknown'");
		expect(accepted + open).toBe(LETTERS);
		expect(open).toBeLessThanOrEqual(KILLS * CONNECTIONS);
		// Whoever got nothing is among those of whom nobody knows.
		expect(LETTERS - received.length).toBeLessThanOrEqual(open);
		console.log(
			`${kind}, ${copies}: ${KILLS} kills, ${received.length} of ${LETTERS}, ${open} open`,
		);
	},
	300_000,
);

/** People with a letter that waits, as joining makes them. */
async function fill(query: (sql: string) => Promise<unknown>): Promise<void> {
	const people = `WITH RECURSIVE numbers(n) AS (
		SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ${LETTERS})`;
	const time = new Date().toISOString();
	await query(`INSERT INTO registration (email_key, email, source, created_at, terms, flags)
		${people} SELECT 'visitor-' || n || '@example.com', 'visitor-' || n || '@example.com',
			'test', '${time}', '', '' FROM numbers`);
	await query(`INSERT INTO letter (email_key, kind, wave, state, asked_at, next_at)
		SELECT email_key, 'confirm', '', 'waiting', created_at, created_at FROM registration`);
}
