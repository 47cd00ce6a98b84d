/** @module-tag slow */
import { execFile } from "node:child_process";
import { mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, it } from "vitest";
import { findProgram } from "../../../bench/harness/browsers/find.ts";
import { sql } from "../../../src/server/database/sql.ts";
import { sqlite3Program } from "../registrations/foreign-readers.ts";
import { openWaveDesk } from "../waves/wave-desk.ts";

it("what the manual reads of a damaged file tells what went out", async () => {
	const sqlite3 = await findProgram(sqlite3Program);
	const manual = await readFile("src/server/operating/backups.md", "utf8");
	const [, salvage] = /(\(sqlite3 [\s\S]*?)```/.exec(manual)!;
	const desk = await openWaveDesk("SQLite");
	await desk.people(1500);
	await desk.json("invite 1000 --wave w --yes");
	for (let n = 0; n < 6; n++) await desk.send();
	await desk.json("backup yesterday.db");
	await desk.all(sql`PRAGMA wal_checkpoint(TRUNCATE)`);
	const damaged = join(desk.folder, "damaged");
	await mkdir(damaged);
	// The connection of this test goes on in the lost file.
	await rename(join(desk.folder, "data/waitlist.db"), join(damaged, "waitlist.db"));
	const bytes = await readFile(join(damaged, "waitlist.db"));
	bytes.fill(0x5a, bytes.length >> 1, (bytes.length >> 1) + 20_000);
	await writeFile(join(damaged, "waitlist.db"), bytes);
	const commands = salvage!
		.replaceAll("/var/lib/orbit/damaged", damaged)
		.replaceAll("/var/lib/orbit", desk.folder)
		.replaceAll("/var/backups/orbit/2026-11-21.db", join(desk.folder, "yesterday.db"))
		.replaceAll("sqlite3 ", `${sqlite3} `)
		.replace("waitlist restore", "true");
	await promisify(execFile)("sh", ["-c", commands]);
	const { unknown } = await desk.restore("salvaged.db");
	const { accepted = 0, ...others } = await desk.counts("w");
	expect(others).toEqual({ unknown });
	expect(accepted).toBeGreaterThan(300);
	expect(accepted).toBeLessThanOrEqual(600);
});
