import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { findProgram } from "../../../bench/harness/browsers/find.ts";
import { straceProgram } from "../../install-programs.ts";
import { postJoin, startServer } from "../../server-process.ts";
import { temporaryFolder } from "../../temporary.ts";
import { startServerCopies } from "../kills.ts";
import { randomSeed } from "../random-fractions.ts";
import { createTestDatabase, startPostgresForFile } from "../registrations/databases.ts";
import { startVisitors } from "../registrations/visitors.ts";

const cluster = startPostgresForFile();

/** Records the system calls of processes, threads and children in order. */
async function trace(pids: readonly number[]): Promise<{ stop(): Promise<string[]> }> {
	const file = join(await temporaryFolder(), "trace");
	const calls = "fsync,fdatasync,pwritev,write,writev,sendto";
	const args = ["-f", "-s32", `-etrace=${calls}`, "-o", file, ...pids.map((pid) => `-p${pid}`)];
	const tracer = spawn(await findProgram(straceProgram), args, {
		stdio: ["ignore", "ignore", "pipe"],
	});
	onTestFinished(() => void tracer.kill("SIGKILL"));
	let said = "";
	await new Promise<void>((resolve, reject) => {
		tracer.stderr.setEncoding("utf8").on("data", (text) => {
			said += text;
			if (pids.every((pid) => said.includes(`Process ${pid} attached`))) resolve();
		});
		tracer.once("exit", () => reject(new Error(`strace ended: ${said}`)));
	});
	return {
		async stop() {
			const ended = once(tracer, "exit");
			tracer.kill("SIGINT");
			await ended;
			return (await readFile(file, "utf8")).split("\n");
		},
	};
}

const JOINS = 20;

it.each(["SQLite", "PostgreSQL"] as const)(
	"syncs the disk before each response: %s",
	async (kind) => {
		const { folder, env } = await createTestDatabase(kind, cluster());
		const server = await startServer({ folder, env });
		await postJoin(server.url, "first@example.com");
		const pids = [server.process.pid!, ...(kind === "PostgreSQL" ? await cluster().pids() : [])];
		const tracing = await trace(pids);
		for (let n = 0; n < JOINS; n++) {
			expect((await postJoin(server.url, `visitor-${n}@example.com`)).status).toBe(201);
		}
		const lines = await tracing.stop();

		const events = lines.flatMap((line) => {
			if (/HTTP\/1\.1 201/.test(line)) return ["answer"];
			// If another thread interrupts a call, strace prints its result on a second line.
			return /f(?:data)?sync.*= 0$/.test(line) ? ["sync"] : [];
		});
		const answers = events.flatMap((event, n) => (event === "answer" ? [n] : []));
		expect(answers).toHaveLength(JOINS);
		const unsynced = answers.filter(
			(answer, n) => !events.slice(n === 0 ? 0 : answers[n - 1]! + 1, answer).includes("sync"),
		);
		expect(unsynced).toEqual([]);
	},
);

const runs = (["SQLite", "PostgreSQL"] as const).flatMap((kind) => [
	{ kind, kills: 2, tags: [] },
	{ kind, kills: 30, tags: ["slow"] },
]);

for (const { kind, kills, tags } of runs) {
	it(`keeps every acknowledged address in ${kind} through ${kills} SIGKILLs (seed ${randomSeed})`, {
		tags,
	}, async () => {
		const { folder, env, emails } = await createTestDatabase(kind);
		const { running, killOne } = await startServerCopies(() => startServer({ folder, env }));
		const acknowledged: string[] = [];
		for (let round = 0; round < kills; round++) {
			const visitors = startVisitors(running[0]!.url, 16, `round-${round}`);
			await expect.poll(() => visitors.acknowledged.length, { interval: 1 }).toBeGreaterThan(0);
			await killOne();
			await visitors.stop();
			expect(visitors.broken).toEqual([]);
			acknowledged.push(...visitors.acknowledged);
		}
		const kept = await emails();
		expect(acknowledged.filter((email) => !kept.has(email))).toEqual([]);
		expect(acknowledged.length).toBeGreaterThanOrEqual(kills);
		console.log(`${kind}: ${kills} kills, ${acknowledged.length} acknowledged, none lost`);
	});
}
