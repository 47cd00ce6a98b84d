import { setTimeout as wait } from "node:timers/promises";
import { expect, it } from "vitest";
import { openDatabase } from "../../../src/server/database/open-database.ts";
import { postEmail, startServer } from "../../server-process.ts";
import { sized } from "../../sized.ts";
import { mountSmallDisk } from "../small-disk.ts";
import { type DatabaseKind, placeOf, usePostgres } from "./databases.ts";
import { sendVisitors } from "./visitors.ts";

const cluster = usePostgres();

/** Longer than a statement may take; with all proofs, longer than the timeout of a group commit. */
const FROZEN_MS = sized(7000, 25_000);

/** Promise 57. */
const LONGEST_MS = 5000;

/** So many that some wait in the queue behind a commit that waits behind another one. */
const VISITORS = 40;

/** Starts an outage of the database, and resolves when it is over. */
type Outage = (settings: Awaited<ReturnType<typeof placeOf>>["settings"]) => Promise<void>;

/** 7 s are longer than a statement may take: 3 s on PostgreSQL, 2 s on SQLite. */
const lockHeldFor7s: Outage = async (settings) => {
	const database = await openDatabase(settings, { create: false });
	await database.transaction(async (query) => {
		if (settings.kind === "postgres") await query("LOCK TABLE registration");
		await wait(7000);
	});
	await database.close();
};

const crashed: Outage = async () => {
	await cluster().stop("SIGQUIT");
	await cluster().start();
};

const restartedAfter2s: Outage = async () => {
	await cluster().stop("SIGINT");
	await wait(2000);
	await cluster().start();
};

const frozen: Outage = async () => {
	await cluster().signalAll("SIGSTOP");
	await wait(FROZEN_MS);
	await cluster().signalAll("SIGCONT");
};

const outages: [kind: DatabaseKind, what: string, outage: Outage][] = [
	["SQLite", "a lock is held for 7 s", lockHeldFor7s],
	["PostgreSQL", "it crashes", crashed],
	["PostgreSQL", `it is frozen for ${FROZEN_MS / 1000} s`, frozen],
	["PostgreSQL", "a lock is held for 7 s", lockHeldFor7s],
	["PostgreSQL", "it is restarted and refuses connections for 2 s", restartedAfter2s],
];

it.each(sized(outages.slice(0, 3), outages))(
	"%s: loses nothing, answers in time and comes back by itself when %s",
	async (kind, _, outage) => {
		const { folder, env, settings, emails } = await placeOf(kind, cluster());
		const server = await startServer({ folder, env });
		const visitors = sendVisitors(server.url, VISITORS, "visitor");
		await expect.poll(() => visitors.acknowledged.length).toBeGreaterThan(200);
		await outage(settings);

		await expect
			.poll(
				async () => (await postEmail(server.url, `after-${Math.random()}@example.com`)).status,
				{
					timeout: 20_000,
				},
			)
			.toBe(201);
		const before = visitors.acknowledged.length;
		await expect.poll(() => visitors.acknowledged.length).toBeGreaterThan(before + 20);
		await visitors.stop();
		server.process.kill("SIGTERM");
		expect(await server.ended).toBe(0);

		expect(visitors.longestMs).toBeLessThan(LONGEST_MS);
		expect(visitors.broken).toEqual([]);
		const statuses = [...visitors.statuses.keys()];
		expect(statuses.filter((status) => status !== 201 && status !== 503)).toEqual([]);
		expect(statuses).toContain(503);
		const kept = await emails();
		expect(visitors.acknowledged.filter((email) => !kept.has(email))).toEqual([]);
		const errors = server.logged().filter(({ level }) => level === "error");
		expect(new Set(errors.map(({ event }) => event))).toEqual(new Set(["waitlist unavailable"]));
		expect(server.output()).not.toContain("@example");
	},
	120_000,
);

/** Only with all proofs, because this needs the right to mount a file system. */
const fullDisks = sized(0, 1) === 1 ? (["PostgreSQL"] as const) : [];

it.each(fullDisks)(
	"%s: loses nothing and comes back by itself when its disk is full",
	async (kind) => {
		// An empty database has 7.5 MB.
		const disk = await mountSmallDisk("9m");
		const { folder, env, emails } = await placeOf(kind, cluster(), disk.folder);
		const server = await startServer({ folder, env });
		const visitors = sendVisitors(server.url, 8, "visitor");
		await expect.poll(() => visitors.statuses.get(503), { timeout: 120_000 }).toBeGreaterThan(20);
		const before = visitors.acknowledged.length;
		await disk.enlarge(server.process.pid!);
		await expect
			.poll(() => visitors.acknowledged.length, { timeout: 20_000 })
			.toBeGreaterThan(before + 20);
		await visitors.stop();
		server.process.kill("SIGTERM");
		expect(await server.ended).toBe(0);
		expect(visitors.broken).toEqual([]);
		expect([...visitors.statuses.keys()].toSorted()).toEqual([201, 503]);
		const kept = await emails();
		expect(visitors.acknowledged.filter((email) => !kept.has(email))).toEqual([]);
		const errors = server.logged().filter(({ level }) => level === "error");
		expect(new Set(errors.map(({ event }) => event))).toEqual(new Set(["waitlist unavailable"]));
		expect(server.output()).not.toContain("@example");
	},
	240_000,
);

it("refuses to start on a PostgreSQL that cannot be reached, in one sentence without its password", async () => {
	const { folder } = await placeOf("SQLite", cluster());
	const starting = startServer({
		folder,
		env: { DATABASE_URL: "postgres://orbit:secret@127.0.0.1:1/waitlist" },
	});
	await expect(starting).rejects.toThrow(
		/^ended with 1: The waitlist in PostgreSQL at 127\.0\.0\.1:1, database waitlist cannot be opened: .*\n$/,
	);
	await expect(starting).rejects.not.toThrow("secret");
});
