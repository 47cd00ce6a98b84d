import { readFile, stat } from "node:fs/promises";
import { expect, it, onTestFinished } from "vitest";
import { startMailServer } from "../../../bench/harness/mail-server.ts";
import { postEmail, type ServerProcess, startServer } from "../../server-process.ts";
import { temporaryFolder } from "../../temporary.ts";
import { findReaders } from "../registrations/foreign-readers.ts";
import { linksIn, sendingBy } from "../waves/mail-desk.ts";

/** What SQLite locks of each file as long as it has it open (sqlite.org/src/file/src/os.h, os_unix.c). */
const SHARED = { "": "1073741826 1073742335", "-shm": "128 128" };

/** The locks that the server's process holds on the files of its database. */
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

it("foreign programs read the file beside joins, which SQLite keeps locked, also after an erasure by link", async () => {
	const mailServer = await startMailServer();
	onTestFinished(() => mailServer.stop());
	const server = await startServer({ folder: await temporaryFolder(), env: sendingBy(mailServer) });
	expect((await postEmail(server.url, "ada@example.com")).status).toBe(201);
	await expect.poll(() => mailServer.kept.length).toBe(1);
	const link = new URL((await linksIn(mailServer.kept[0]!)).leave, server.url);
	const body = new URLSearchParams({ action: "delete" });
	expect((await fetch(link, { method: "POST", body })).status).toBe(200);
	// The search for what is left of her follows the answer, and then the journal is empty.
	await expect.poll(async () => (await stat(`${server.file}-wal`)).size).toBe(0);
	for (const [name, read] of Object.entries(await findReaders(server.file))) {
		const held = await locksOf(server);
		for (const [place, lock] of Object.entries(SHARED)) expect(held[place]).toContain(lock);
		const joining = Array.from({ length: 4 }, (_, n) =>
			postEmail(server.url, `${name}-${n}@example.com`),
		);
		await Promise.all([read(), ...joining]);
		for (const joined of await Promise.all(joining)) expect(joined.status).toBe(201);
		expect((await postEmail(server.url, `after-${name}@example.com`)).status).toBe(201);
	}
	expect((await fetch(new URL("/readyz", server.url))).status).toBe(200);
	expect(server.logged("waitlist unavailable")).toEqual([]);
});
