import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import { Agent, request } from "node:http";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { promisify } from "node:util";
import { JOIN_PATH } from "#shared/join.ts";
import { connectSqlite } from "../../src/server/database/sqlite/connection.ts";
import { addressSaid } from "../harness/built-site.ts";
import { query, startPostgres } from "../harness/postgres-cluster.ts";
import { atExit, temporaryFolder } from "../harness/temporary.ts";
import { watchStolen } from "../host-took.ts";

/**
 * `npm run bench:operator`: what visitors feel while the operator works. On a waitlist of a million
 * rows each command runs beside visitors who join at a fixed rate, whether or not the ones before
 * them have an answer. The goal is the p99 of a join, and that none is refused.
 */

const ROWS = Number(process.env.BENCH_ROWS ?? 1_000_000);
/** So many of the rows are older than the 24 months that the privacy policy allows. */
const OLD_ROWS = ROWS / 5;
const JOINS_PER_SECOND = Number(process.env.BENCH_JOINS ?? 300);
/** A quick command is repeated for so long, and no more often. */
const SECONDS = Number(process.env.BENCH_SECONDS ?? 10);
const MOST_RUNS = 20;
const P99_GOAL_MS = 250;
const IMPORTED = 20_000;
/** Letters of a wave: all of them wait, because the server sends none. */
const INVITED = 10_000;

const execute = promisify(execFile);

/** Commands that run side by side, each as its arguments. */
type Commands = (run: number) => string[][];

/** What is measured, given how often it has run. */
const commands: Record<string, Commands> = {
	"(none)": () => [],
	stats: () => [["stats"]],
	find: (run) => [["find", `visitor-${run}@example.com`]],
	export: (run) => [["export", "--output", `list-${run}.csv`]],
	[`import of ${IMPORTED}`]: (run) => [["import", `people-${run}.txt`]],
	check: () => [["check"]],
	"delete of one": (run) => [["delete", `visitor-${ROWS - 1 - run}@example.com`]],
	backup: (run) => [["backup", `backup-${run}.db`]],
	"backup and erase": (run) => [
		["backup", `nightly-${run}.db`],
		["delete", `visitor-${ROWS - 1 - MOST_RUNS - run}@example.com`],
	],
	"invite --dry-run": () => [["invite", `${INVITED}`, "--wave", "none", "--dry-run"]],
	[`invite of ${INVITED}`]: (run) => [
		["invite", `${INVITED}`, "--wave", `time-${run}`, "--yes", "--no-imprint"],
	],
	waves: () => [["waves"]],
	[`delete of ${OLD_ROWS}`]: () => [
		["delete", "--older-than", "24", "--reason", "retention", "--yes"],
	],
};

/** All of them, or those whose names start with one of the arguments. */
const names = process.argv.slice(2);
const wanted = Object.entries(commands).filter(
	([command]) => names.length === 0 || names.some((name) => command.startsWith(name)),
);

const cluster = await startPostgres();
try {
	for (const kind of ["SQLite", "PostgreSQL"] as const) {
		const { folder, remove } = await temporaryFolder("operator-bench-");
		const file = `file:${join(folder, "waitlist.db")}`;
		const rows = await measure(folder, kind === "SQLite" ? file : await cluster.createDatabase());
		console.log(`\n${kind}, ${ROWS} rows, ${JOINS_PER_SECOND} joins a second`);
		console.table(rows);
		if (rows.some((row) => row["p99 ms"] > P99_GOAL_MS || row.refused > 0)) process.exitCode = 1;
		remove();
	}
} finally {
	await cluster.remove();
}

async function measure(folder: string, url: string) {
	const proofs = {
		WAITLIST_SECRET: "0".repeat(64),
		WAITLIST_SUPPRESSION_FILE: join(folder, "erasures"),
	};
	const env = { PATH: process.env.PATH, DATABASE_URL: url, PORT: "0", ...proofs };
	const mail = {
		SMTP_URL: "smtp://127.0.0.1:1",
		WAITLIST_MAIL_FROM: "hello@orbit.example",
		SITE_ORIGIN: "https://orbit.example",
	};
	const [main, cli] = ["main.js", "cli.js"].map((name) => join(process.cwd(), "dist/server", name));
	const stdio = ["ignore", "pipe", "inherit"] as const;
	const server = spawn(process.execPath, [main!], { cwd: folder, env, stdio: [...stdio] });
	const kill = atExit(() => server.kill());
	const address = await addressSaid(server);
	await fill(url);
	for (let run = 0; run < MOST_RUNS; run++) {
		const people = Array.from({ length: IMPORTED }, (_, n) => `import-${run}-${n}@example.com`);
		await writeFile(join(folder, `people-${run}.txt`), people.join("\n"));
	}
	const visitors = sendVisitors(address);
	const rows = [];
	for (const [command, args] of wanted) {
		await wait(2000);
		let runs = 0;
		const began = performance.now();
		const felt = await visitors.during(async () => {
			do {
				const together = args(runs++);
				if (together.length === 0) await wait(SECONDS * 1000);
				await Promise.all(
					together.map((words) =>
						execute(process.execPath, [cli!, ...words], { cwd: folder, env: { ...env, ...mail } }),
					),
				);
			} while (runs < MOST_RUNS && performance.now() - began < SECONDS * 1000 - 1);
		});
		const seconds = round((performance.now() - began) / 1000 / runs);
		rows.push({ command, runs, "s each": seconds, ...felt });
	}
	visitors.stop();
	kill();
	await once(server, "exit");
	return rows;
}

/** Fills the database over a connection of its own: nine in ten people have confirmed. */
async function fill(url: string): Promise<void> {
	const yesterday = new Date(Date.now() - 86_400_000).toISOString();
	const sql = `WITH RECURSIVE numbers(n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM numbers WHERE n < ${ROWS - 1})
		INSERT INTO registration (email_key, email, source, joined_at, terms, id, confirmed_at)
		SELECT 'visitor-' || n || '@example.com', 'Visitor-' || n || '@Example.com', 'bench',
			CASE WHEN n < ${OLD_ROWS} THEN '2020-01-01T00:00:00.000Z' ELSE '${yesterday}' END, '', 'id-' || n,
			CASE n % 10 WHEN 0 THEN '' ELSE '${yesterday}' END
		FROM numbers`;
	const isSqlite = url.startsWith("file:");
	if (!isSqlite) return void (await query(url, `${sql}; ANALYZE registration`));
	const connection = connectSqlite(url.slice("file:".length));
	connection.exec(sql);
	connection.close();
}

/** Visitors who join at a fixed rate. A join's time starts when it is due, so a stall counts for all. */
function sendVisitors(url: string) {
	const agent = new Agent({ keepAlive: true });
	const headers = { "content-type": "application/json" };
	let joins: { ms: number; status: number }[] = [];
	let due = performance.now();
	let count = 0;
	function send(at: number): void {
		const told = (status: number) => joins.push({ ms: performance.now() - at, status });
		const sent = request(new URL(JOIN_PATH, url), { agent, headers, method: "POST" }, (answer) => {
			answer.resume().on("end", () => told(answer.statusCode!));
		});
		sent.on("error", () => told(0));
		sent.end(JSON.stringify({ email: `joined-${count++}@example.com` }));
	}
	const timer = setInterval(() => {
		for (; due <= performance.now(); due += 1000 / JOINS_PER_SECOND) send(due);
	}, 2);
	return {
		/** What those have felt whose answer came during some work. */
		async during(work: () => Promise<void>) {
			joins = [];
			const stolen = watchStolen();
			await work();
			const times = joins.map(({ ms }) => ms).toSorted((a, b) => a - b);
			const part = (share: number) => round(times[Math.ceil(share * times.length) - 1] ?? 0);
			return {
				joins: times.length,
				"p50 ms": part(0.5),
				"p99 ms": part(0.99),
				"worst ms": part(1),
				refused: joins.filter(({ status }) => status !== 201).length,
				"host took, %": Math.round(stolen() * 100),
			};
		},
		stop() {
			clearInterval(timer);
			agent.destroy();
		},
	};
}

function round(value: number): number {
	return Math.round(value * 10) / 10;
}
