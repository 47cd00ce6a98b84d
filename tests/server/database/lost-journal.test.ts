/** @module-tag nodes */
import { readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { expect, it, onTestFinished } from "vitest";
import { startMailServer } from "../../../bench/harness/mail-server.ts";
import { openSqliteFile, readRegistrations } from "../../read-rows.ts";
import { postJoin, type ServerProcess, startServer } from "../../server-process.ts";
import { temporaryFolder } from "../../temporary.ts";
import { killServer } from "../kills.ts";
import { randomFractions, randomSeed } from "../random-fractions.ts";
import { findForeignReaders, startForeignReaders } from "../registrations/foreign-readers.ts";
import { startVisitors } from "../registrations/visitors.ts";
import { mailSettingsFor, readEmailLinks } from "../waves/mail-setup.ts";

const ROUNDS = 12;

const losses: Record<string, (file: string) => Promise<unknown>> = {
	"its journal is deleted": (file) => rm(`${file}-wal`),
	"its journal is moved": (file) => rename(`${file}-wal`, `${file}-wal.moved`),
	"the index of its journal is deleted": (file) => rm(`${file}-shm`),
};

async function endOf({ ended, logged }: ServerProcess): Promise<void> {
	expect(await ended).toBe(1);
	expect(logged("database lost")).toMatchObject([
		{ message: expect.stringMatching(/is not the file that was opened: the server stops/) },
	]);
}

it.each(Object.entries(losses))("the server exits with a sentence when %s", async (_, lose) => {
	const folder = await temporaryFolder();
	const server = await startServer({ folder });
	expect((await postJoin(server.url, "ada@example.com")).status).toBe(201);
	await lose(server.file);
	await endOf(server);
	const { url } = await startServer({ folder });
	expect((await postJoin(url, "ada@example.com")).status).toBe(409);
});

it("acknowledges no join while another program may write to the deleted journal", async () => {
	const server = await startServer({ folder: await temporaryFolder() });
	const other = openSqliteFile(server.file);
	other.exec("SELECT count(*) FROM sqlite_schema");
	await rm(`${server.file}-wal`);
	expect((await postJoin(server.url, "ada@example.com")).status).toBe(503);
	expect((await postJoin(server.url, "bob@example.com")).status).toBe(503);
	expect((await fetch(new URL("/readyz", server.url))).status).toBe(503);
	await expect
		.poll(() => server.logged("waitlist unavailable"))
		.toMatchObject([{ error: expect.stringContaining("close the programs that have") }]);
	other.close();
	await endOf(server);
});

it("moves no rows into the file after another program has written to a new journal", async () => {
	const server = await startServer({ folder: await temporaryFolder() });
	expect((await postJoin(server.url, "ada@example.com")).status).toBe(201);
	const before = (await stat(server.file)).mtimeMs;
	// A rename is atomic, so the server cannot see a half-written file.
	await writeFile(`${server.file}.other`, "a journal of another program");
	await rename(`${server.file}.other`, `${server.file}-wal`);
	expect((await postJoin(server.url, "bob@example.com")).status).toBe(503);
	await expect
		.poll(() => server.logged("waitlist unavailable"))
		.toMatchObject([
			{ error: expect.stringContaining("has written to a new one: copy the deleted") },
		]);
	server.process.kill("SIGTERM");
	await server.ended;
	expect((await stat(server.file)).mtimeMs).toBe(before);
});

it(`loses no join through ${ROUNDS} lost journals and kills, with concurrent readers (seed ${randomSeed})`, {
	tags: "slow",
}, async () => {
	const folder = await temporaryFolder();
	const chance = randomFractions(randomSeed);
	const kinds = Object.values(losses);
	let server = await startServer({ folder });
	const reading = await startForeignReaders(server.file);
	const acknowledged: string[] = [];
	for (let round = 0; round < ROUNDS; round++) {
		const visitors = startVisitors(server.url, 8, `round-${round}`);
		const moment = 5 + chance.next().value * 50;
		await expect.poll(() => visitors.acknowledged.length, { interval: 1 }).toBeGreaterThan(moment);
		if (round % 3 === 2) await killServer(server);
		else {
			await kinds[Math.floor(chance.next().value * kinds.length)]!(server.file);
			await endOf(server);
		}
		await visitors.stop();
		expect(visitors.broken).toEqual([]);
		acknowledged.push(...visitors.acknowledged);
		server = await startServer({ folder });
	}
	await reading.stop();
	const kept = new Set(readRegistrations(server.file).map(({ email }) => email));
	expect(acknowledged.filter((email) => !kept.has(email))).toEqual([]);
});

/** Byte ranges that SQLite locks while a file is open (os.h and os_unix.c in its sources). */
const SHARED = { "": "1073741826 1073742335", "-shm": "128 128" };

async function locksOf({ file, process }: ServerProcess): Promise<Record<string, string[]>> {
	const lines = (await readFile("/proc/locks", "utf8")).split("\n");
	const held: Record<string, string[]> = {};
	for (const place of Object.keys(SHARED)) {
		const { ino } = await stat(file + place);
		held[place] = lines.flatMap((line) => {
			const found = / READ +(\d+) \S+:(\d+) (\d+ \d+)$/.exec(line);
			return found?.[1] === `${process.pid}` && found[2] === `${ino}` ? [found[3]!] : [];
		});
	}
	return held;
}

it("SQLite keeps its locks while other programs read the file, even after a deletion by link", async () => {
	const mailServer = await startMailServer();
	onTestFinished(() => mailServer.stop());
	const server = await startServer({
		folder: await temporaryFolder(),
		env: mailSettingsFor(mailServer),
	});
	expect((await postJoin(server.url, "ada@example.com")).status).toBe(201);
	await expect.poll(() => mailServer.kept.length).toBe(1);
	const link = new URL((await readEmailLinks(mailServer.kept[0]!)).unsubscribe, server.url);
	const body = new URLSearchParams({ action: "delete" });
	expect((await fetch(link, { method: "POST", body })).status).toBe(200);
	await expect.poll(async () => (await stat(`${server.file}-wal`)).size).toBe(0);
	for (const [name, read] of Object.entries(await findForeignReaders(server.file))) {
		const held = await locksOf(server);
		for (const [place, lock] of Object.entries(SHARED)) expect(held[place]).toContain(lock);
		const joining = Array.from({ length: 4 }, (_, n) =>
			postJoin(server.url, `${name}-${n}@example.com`),
		);
		await Promise.all([read(), ...joining]);
		for (const joined of await Promise.all(joining)) expect(joined.status).toBe(201);
		expect((await postJoin(server.url, `after-${name}@example.com`)).status).toBe(201);
	}
	expect((await fetch(new URL("/readyz", server.url))).status).toBe(200);
	expect(server.logged("waitlist unavailable")).toEqual([]);
});
