/** @module-tag slow */
import { readFile, stat } from "node:fs/promises";
import { request } from "node:http";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { expect, it } from "vitest";
import { JOIN_PATH, SOURCE } from "#shared/join.ts";
import { startServer } from "../../server-process.ts";
import { temporaryFolder } from "../../temporary.ts";
import { runCommand } from "./desk.ts";
import { fill, openFull } from "./large/full-list.ts";
import { peakOf } from "./large/peak.ts";

const ROWS = 1_000_000;
const PROOFS = 397_000;

/** Joins of each second, evenly spread. */
const JOINS = 300;

/** One join by a connection of its own: a kept one may be closed just as it is used again. */
function joinOnce(url: string, email: string): Promise<{ status: number; ms: number }> {
	const asked = performance.now();
	return new Promise((resolve) => {
		const settle = (status: number) => resolve({ status, ms: performance.now() - asked });
		const headers = { "content-type": "application/json" };
		const asking = request(new URL(JOIN_PATH, url), { method: "POST", headers, agent: false });
		asking.on("response", (answer) => answer.resume().on("end", () => settle(answer.statusCode!)));
		asking.on("error", () => settle(0));
		asking.end(JSON.stringify({ email, source: SOURCE }));
	});
}

/** Visitors come at a fixed rate, however long the answers take. Gives status and ms of each. */
async function joinWhile<Result>(url: string, name: string, work: () => Promise<Result>) {
	let working = true;
	const answers: ReturnType<typeof joinOnce>[] = [];
	const start = performance.now();
	const visiting = (async () => {
		while (working) {
			const due = ((performance.now() - start) / 1000) * JOINS;
			while (answers.length < due) {
				answers.push(joinOnce(url, `${name}-${answers.length}@example.com`));
			}
			await wait(5);
		}
	})();
	const result = await work();
	const seconds = (performance.now() - start) / 1000;
	working = false;
	await visiting;
	const all = await Promise.all(answers);
	const ms = all.map((answer) => answer.ms).sort((a, b) => a - b);
	const at = (share: number) => Math.round(ms[Math.floor(share * ms.length)] ?? 0);
	const refused = all.filter(({ status }) => status !== 201).length;
	const measured = { seconds, joins: all.length, refused, p50: at(0.5), p99: at(0.99) };
	console.log(`beside ${name}:`, measured);
	return { result, measured };
}

it(`backing up and erasing ${ROWS} rows refuse no join beside them`, async () => {
	const { folder, file } = await openFull(ROWS);
	const env = { WAITLIST_ADDRESS_LIMIT: "0", WAITLIST_NETWORK_LIMIT: "0" };
	const server = await startServer({ folder, env });
	await wait(1000);
	const run = (...args: string[]) => runCommand(folder, args);
	const backup = await joinWhile(server.url, "backup", () => run("backup", "whole.db", "--json"));
	expect(backup.result).toMatchObject({ code: 0, stderr: "" });
	expect(JSON.parse(backup.result.stdout).rows).toBeGreaterThanOrEqual(ROWS);
	const journal = (await stat(`${file}-wal`)).size;

	const both = await joinWhile(server.url, "backup-and-erase", () =>
		Promise.all([run("backup", "second.db"), run("erase", "visitor-7@example.com", "--json")]),
	);
	expect(both.result.map(({ code }) => code)).toEqual([0, 0]);
	const bytes = await Promise.all([file, `${file}-wal`].map((name) => readFile(name, "latin1")));
	expect(bytes.join().toLowerCase()).not.toContain("visitor-7@example.com");

	// Rows of 60 days ago and older: two fifths of all.
	const old = await joinWhile(server.url, "erase-by-age", () =>
		run("erase", "--older-than", "2", "--reason", "retention", "--yes", "--json"),
	);
	expect(old.result).toMatchObject({ code: 0, stderr: "" });
	expect(JSON.parse(old.result.stdout).erased).toBeGreaterThan(ROWS / 3);
	console.log(`the journal after the backup: ${journal / 1e6} MB`);
	for (const { refused } of [backup.measured, both.measured, old.measured]) expect(refused).toBe(0);
	// It was as large as the list.
	expect(journal).toBeLessThan(64e6);
});

it(`restores and finds with ${PROOFS} proofs in little memory`, async () => {
	const folder = await temporaryFolder();
	await fill(join(folder, "source.db"), 1000, PROOFS);
	const backup = await runCommand(folder, ["backup", "whole.db"], {
		env: { DATABASE_URL: `file:${join(folder, "source.db")}` },
	});
	expect(backup.code).toBe(0);
	const env = {
		WAITLIST_ERASURE_KEY: "0123456789abcdef0123456789abcdef",
		// Memory that is needed, and not what V8 leaves lying where there is plenty: 141 MB instead of 115.
		NODE_OPTIONS: "--max-old-space-size=48",
	};
	const restore = await peakOf(folder, ["restore", "whole.db", "--without-proofs"], env);
	expect(restore.stdout).toContain("Both are the same, row for row.");
	const again = await peakOf(folder, ["restore", "whole.db"], env);
	const find = await peakOf(folder, ["find", "visitor-7@example.com"], env);
	expect(find.stdout).toContain("visitor-7@example.com");
	console.table({ restore, again, find }, ["seconds", "peakBytes"]);
	// All proofs in memory took 709 MB.
	for (const { peakBytes } of [restore, again, find]) expect(peakBytes).toBeLessThan(128e6);
});
