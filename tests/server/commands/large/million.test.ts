/** @module-tag slow */
import { execFile } from "node:child_process";
import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, it } from "vitest";
import { fillWaitlist } from "../../../given/fill-waitlist.ts";
import { postJoin, startServer } from "../../../server-process.ts";
import { temporaryFolder } from "../../../temporary.ts";
import { createPostgresDatabase } from "../../registrations/databases.ts";
import { cliPath, runCommand, runProgram } from "../command-setup.ts";

const ROWS = 300_000;
const EXPORT_BYTES = 96e6;
const VISITORS = 8;

/** Runs a command through npm, and returns its peak memory (VmHWM). */
async function peakOf(folder: string, args: readonly string[], env: Record<string, string> = {}) {
	const { stdout, stderr } = await promisify(execFile)(
		"sh",
		[
			"-c",
			`node --max-semi-space-size=1 "$0" "$@" & pid=$!
			while [ -e /proc/$pid/status ]; do grep VmHWM /proc/$pid/status >&2 2>/dev/null; sleep 0.02; done; wait $pid`,
			cliPath,
			...args,
		],
		{ cwd: folder, env: { PATH: process.env.PATH, ...env }, maxBuffer: 1e8 },
	);
	const peaks = [...stderr.matchAll(/VmHWM:\s+(\d+)/g)].map((match) => Number(match[1]) * 1024);
	return { stdout, peakBytes: Math.max(...peaks) };
}

async function besideJoins<Result>(url: string, name: string, work: () => Promise<Result>) {
	let working = true;
	const statuses = new Set<number>();
	const visit = async (visitor: number) => {
		for (let n = 0; working; n++) {
			statuses.add((await postJoin(url, `${name}-${visitor}-${n}@example.com`)).status);
		}
	};
	const [result] = await Promise.all([
		work().finally(() => {
			working = false;
		}),
		...Array.from({ length: VISITORS }, (_, visitor) => visit(visitor)),
	]);
	expect(statuses, name).toEqual(new Set([201]));
	return result;
}

it(`backing up, importing and erasing beside ${ROWS} rows refuse no join`, async () => {
	const folder = await temporaryFolder();
	const file = join(folder, "data/waitlist.db");
	await fillWaitlist(file, ROWS);
	const env = { WAITLIST_ADDRESS_LIMIT: "0" };
	const { url } = await startServer({ folder, env });
	const run = (args: string, input = "") => runCommand(folder, args.split(" "), { input });
	const backup = await besideJoins(url, "backup", () => run("backup whole.db --json"));
	expect(backup).toMatchObject({ code: 0, stderr: "" });
	expect(JSON.parse(backup.stdout).rows.registration).toBeGreaterThanOrEqual(ROWS);
	expect((await stat(`${file}-wal`)).size).toBeLessThan(64e6);

	const both = await besideJoins(url, "delete", () =>
		Promise.all([run("backup second.db"), run("delete visitor-7@example.com --json")]),
	);
	expect(both.map(({ code }) => code)).toEqual([0, 0]);
	// Reading hundreds of MB here would block this process until the server closes idle connections.
	const grep = ["grep", "--text", "--ignore-case", "--quiet", "--fixed-strings"];
	const found = await runProgram(folder, [...grep, "visitor-7@example.com", file, `${file}-wal`]);
	expect(found).toEqual({ code: 1, stdout: "", stderr: "" });

	const lines = Array.from({ length: 48_000 }, (_, n) => `import-${n}@example.com`);
	const imported = await besideJoins(url, "import", () => run("import -", lines.join("\n")));
	expect(imported).toMatchObject({ code: 0 });

	// Deletes two fifths of all people: they joined at least 60 days ago.
	const old = await besideJoins(url, "age", () => run("delete --older-than 2 --yes --json"));
	expect(old).toMatchObject({ code: 0, stderr: "" });
	expect(JSON.parse(old.stdout).deleted).toBeGreaterThan(ROWS / 3);
});

it(`counts, exports, moves and verifies ${ROWS} rows`, async () => {
	const folder = await temporaryFolder();
	await fillWaitlist(join(folder, "data/waitlist.db"), ROWS);
	const counts = { total: ROWS, flags: [{ name: "honeypot", count: ROWS / 100 }] };
	const stats = await runCommand(folder, ["stats", "--json"]);
	expect(JSON.parse(stats.stdout)).toMatchObject(counts);
	const { peakBytes } = await peakOf(
		folder,
		"export --format jsonl --output list.jsonl".split(" "),
	);
	expect(peakBytes).toBeLessThan(EXPORT_BYTES);
	const lines = (await readFile(join(folder, "list.jsonl"), "latin1")).split("\n");
	expect(lines).toHaveLength(ROWS + 1);
	const url = await createPostgresDatabase();
	const moved = await runCommand(folder, ["migrate", "--json"], {
		env: { TARGET_DATABASE_URL: url },
	});
	expect(moved.code).toBe(0);
	expect(JSON.parse(moved.stdout)).toMatchObject({ rows: { registration: ROWS } });
	const there = await runCommand(folder, ["stats", "--json"], { env: { DATABASE_URL: url } });
	expect(JSON.parse(there.stdout)).toMatchObject(counts);
});
