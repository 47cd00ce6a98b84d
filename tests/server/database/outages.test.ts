import { rename, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { COMMIT_LIMITS } from "../../../src/server/database/group-commit.ts";
import { openSqliteFile } from "../../read-rows.ts";
import { type ServerProcess, spawnServer, startServer, stopServer } from "../../server-process.ts";
import { temporaryFolder } from "../../temporary.ts";
import { failureOf, runCommand, TEST_SECRET } from "../commands/command-setup.ts";
import {
	createTestDatabase,
	type DatabaseKind,
	startPostgresForFile,
	type TestDatabase,
} from "../registrations/databases.ts";
import { startVisitors } from "../registrations/visitors.ts";
import { openSmallDisk, type SmallDisk } from "../small-disk.ts";

const cluster = startPostgresForFile();

const LONGEST_MS = 5000;

/** Enough visitors to queue behind two commits. */
const VISITORS = 40;

const patience = { interval: 300 };

interface Failing {
	server: ServerProcess;
	disk: SmallDisk;
}

interface Failure {
	kind: DatabaseKind;
	what: string;
	at?: () => Promise<TestDatabase & { disk?: SmallDisk }>;
	begin: (failing: Failing) => Promise<(() => unknown) | undefined>;
	logs: RegExp;
	/** Command that must fail, and its message. By default an import waits and succeeds afterwards. */
	command?: [command: "import -" | "stats", says: RegExp];
}

/** SQLite reports the file size limit of `openSmallDisk` as `disk I/O error`. */
const DISK_IS_FULL = /database or disk is full|No space left on device|disk I\/O error/;

const failures: Failure[] = [
	{
		kind: "SQLite",
		what: "its disk is full",
		async at() {
			const disk = await openSmallDisk();
			return { ...(await createTestDatabase("SQLite", cluster(), disk.folder)), disk };
		},
		async begin({ disk, server }) {
			await disk.fill?.();
			return () => disk.enlarge(server.process.pid!);
		},
		logs: DISK_IS_FULL,
		command: ["import -", DISK_IS_FULL],
	},
	{
		kind: "PostgreSQL",
		what: "it crashes",
		async begin() {
			await cluster().stop("SIGQUIT");
			return () => cluster().start();
		},
		logs: /ECONNRE|EPIPE|terminat|shutting down/,
		command: ["import -", /cannot be opened: .*(?:ECONNRE|terminat|shutting down)/],
	},
	{
		kind: "PostgreSQL",
		what: "it is frozen",
		async begin() {
			await cluster().signalAll("SIGSTOP");
			return () => cluster().signalAll("SIGCONT");
		},
		logs: /timeout|no answer/,
		command: ["import -", /cannot be opened: .*timeout/],
	},
	{
		kind: "SQLite",
		what: "another program keeps it locked",
		async begin({ server }) {
			const other = openSqliteFile(server.file);
			other.exec("PRAGMA busy_timeout = 5000; BEGIN IMMEDIATE");
			return () => other.close();
		},
		logs: /database is locked/,
	},
	{
		kind: "SQLite",
		what: "its file was moved",
		async begin({ server: { file } }) {
			await rename(file, `${file}.moved`);
			return async () => {
				expect((await stat(`${file}-wal`)).size).toBe(0);
				await expect(stat(file)).rejects.toThrow("ENOENT");
				await rename(`${file}.moved`, file);
			};
		},
		logs: /was deleted, moved or replaced: put it back/,
		command: ["stats", /^There is no waitlist at .*: start the server/],
	},
];

it("a visitor waits for a commit less than 5 s", () => {
	// group-commit.test.ts proves that visitors never wait longer than these timeouts.
	for (const { timeoutMs } of Object.values(COMMIT_LIMITS))
		expect(timeoutMs).toBeLessThan(LONGEST_MS);
});

for (const [n, { kind, what, at, begin, logs, command }] of failures.entries()) {
	it(`${kind}, ${what}: no join is lost, and readiness and commands report the outage`, {
		tags: n === 0 ? [] : "slow",
	}, async () => {
		const place = await (at ?? (() => createTestDatabase(kind, cluster())))();
		const { folder, env } = place;
		const disk = (place as { disk?: SmallDisk }).disk!;
		const server = await startServer({ ...disk, folder, env });
		const statusOf = async (path: string) => (await fetch(new URL(path, server.url))).status;
		expect(await statusOf("/readyz")).toBe(200);
		const visitors = startVisitors(server.url, VISITORS, "visitor");
		await expect.poll(() => visitors.acknowledged.length).toBeGreaterThan(20);

		const end = await begin({ disk, server });
		await expect.poll(() => visitors.statuses.get(503), patience).toBeGreaterThan(20);
		// A file size limit applies to the server only, so no command fails.
		const failing = disk?.before ? undefined : command;
		const [words, says] = failing ?? ["import -", /^1 added/];
		// An import that must fail needs more rows than fit into existing pages.
		const emails = Array.from({ length: failing ? 20_000 : 1 }, (_, n) => `${n}@example.org`);
		const file = join(await temporaryFolder(), "suppressions");
		const secrets = { WAITLIST_SECRET: TEST_SECRET, WAITLIST_SUPPRESSION_FILE: file };
		const running = runCommand(folder, words.split(" "), {
			env: { ...env, ...(kind === "PostgreSQL" && secrets) },
			input: emails.join("\n"),
		});
		expect(await statusOf("/")).toBe(200);
		await expect.poll(() => statusOf("/readyz"), patience).toBe(503);
		const before = visitors.acknowledged.length;
		if (failing) await running;
		// A full disk may have room for one more join.
		if (!disk) expect(visitors.acknowledged.length).toBe(before);
		await end?.();
		const { code, stdout, stderr } = await running;
		expect({ code, said: stdout + stderr }).toEqual({
			code: failing ? 1 : 0,
			said: expect.stringMatching(says),
		});

		if (end) {
			await expect.poll(() => statusOf("/readyz"), patience).toBe(200);
			await expect.poll(() => visitors.acknowledged.length).toBeGreaterThan(before + 20);
		}
		await visitors.stop();
		await stopServer(server);
		expect(visitors.broken).toEqual([]);
		expect([...visitors.statuses.keys()].toSorted()).toEqual([201, 503]);
		const errors = server.logged().filter(({ level }) => level === "error");
		expect(new Set(errors.map(({ event }) => event))).toEqual(new Set(["waitlist unavailable"]));
		expect(errors.map(({ error }) => error).join()).toMatch(logs);
		expect(server.output()).not.toContain("@example");
		if (!end) return;
		const kept = await place.emails();
		expect(visitors.acknowledged.filter((email) => !kept.has(email))).toEqual([]);
	});
}

it.each([
	[
		"an unreachable PostgreSQL, without printing its password",
		"postgres://orbit:secret@127.0.0.1:1/waitlist",
		/^The waitlist in PostgreSQL at 127\.0\.0\.1:1, database waitlist cannot be opened: connect ECONNREFUSED.*\n$/,
	],
	[
		"an SQLite file in a folder that is a file",
		"file:taken/waitlist.db",
		/^.*waitlist\.db cannot be (?:opened|used): .* is not a folder\.\n$/,
	],
])("server and command refuse to start, with a one-sentence reason: %s", async (_, url, why) => {
	const folder = await temporaryFolder();
	await writeFile(join(folder, "taken"), "");
	const env = { DATABASE_URL: url };
	const server = spawnServer({ folder, env });
	expect(await server.ended).toBe(1);
	expect(server.output()).toMatch(why);
	expect(await failureOf(runCommand(folder, ["import", "-"], { env }))).toMatch(why);
});
