import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import { Agent, request } from "node:http";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { promisify } from "node:util";
import { JOIN_PATH } from "#shared/join.ts";
import { connectSqlite } from "../../src/server/database/sqlite/connection.ts";
import { addressSaid, freePort } from "../harness/built-site.ts";
import { query, startPostgres } from "../harness/postgres-cluster.ts";
import { atExit, temporaryFolder } from "../harness/temporary.ts";
import { watchStolen } from "../host-took.ts";

/**
 * `npm run bench:founder`: what visitors feel while the founder works. On a waitlist of a million
 * people, each command and each admin page runs while visitors join at a fixed rate. Exits with 1
 * if the p99 of a join exceeds the goal, or one was refused.
 */

const ROWS = Number(process.env.BENCH_ROWS ?? 1_000_000);
/** People who joined before the 24 months of the privacy policy. */
const OLD_ROWS = ROWS / 5;
const JOINS_PER_SECOND = Number(process.env.BENCH_JOINS ?? 300);
/** How long a quick command is repeated. */
const SECONDS = Number(process.env.BENCH_SECONDS ?? 10);
const MOST_RUNS = 20;
const P99_GOAL_MS = 250;
const IMPORTED = 20_000;
/** All emails of a wave wait, because the mail server is down. */
const INVITED = 10_000;

const execute = promisify(execFile);

const addressOf = (n: number) => `visitor-${n}@example.com`;

/** Can run only once. */
const CANCEL = "cancel of a wave";

/** Arguments of each command by how often it has run. Several run in parallel. */
const commands: Record<string, (run: number) => string[][]> = {
	nothing: () => [],
	stats: () => [["stats"]],
	check: () => [["check"]],
	find: (run) => [["find", addressOf(run)]],
	[`import of ${IMPORTED}`]: (run) => [["import", `people-${run}.txt`]],
	export: (run) => [["export", "--output", `list-${run}.csv`]],
	confirm: () => [["confirm", "--source", "import"]],
	resend: (run) => [["resend", addressOf(10 * run + 10)]],
	block: (run) => [["block", addressOf(run)]],
	unblock: (run) => [["unblock", addressOf(run)]],
	unsubscribe: (run) => [["unsubscribe", addressOf(run)]],
	"invite --dry-run": () => [["invite", `${INVITED}`, "--wave", "none", "--dry-run"]],
	[`invite of ${INVITED}`]: (run) => [
		["invite", `${INVITED}`, "--wave", `beta-${run}`, "--yes", "--no-imprint"],
	],
	waves: () => [["waves"]],
	emails: () => [["emails"]],
	"pause and resume": (run) => (run % 2 === 0 ? [["pause", "beta-0"]] : [["resume", "beta-0"]]),
	[CANCEL]: () => [["cancel", "beta-0"]],
	"delete of one": (run) => [["delete", addressOf(ROWS - 1 - run)]],
	backup: (run) => [["backup", `backup-${run}.db`]],
	"backup and delete": (run) => [
		["backup", `nightly-${run}.db`],
		["delete", addressOf(ROWS - 1 - MOST_RUNS - run)],
	],
	[`delete of ${OLD_ROWS}`]: () => [
		["delete", "--older-than", "24", "--reason", "retention", "--yes"],
	],
};

/** Browser requests to the admin pages. A form is posted to its page. */
const pages: readonly { path: string; form?: Record<string, string> }[] = [
	{ path: "/" },
	{ path: "/people" },
	{ path: "/people?state=confirmed&source=bench" },
	{ path: "/people.csv" },
	{ path: `/people/${encodeURIComponent(addressOf(ROWS / 2 + 1))}` },
	{ path: "/waves" },
	{ path: "/waves/new", form: { name: "planned", kind: "invitation", size: "10000" } },
	{ path: "/emails" },
	{ path: "/emails/unknown" },
	{ path: "/activity" },
];

/** Selects everything, or names that start with an argument. */
const wanted = (name: string) =>
	process.argv.length < 3 || process.argv.slice(2).some((start) => name.startsWith(start));

const cluster = await startPostgres();
try {
	for (const kind of ["SQLite", "PostgreSQL"] as const) {
		const { folder, remove } = await temporaryFolder("founder-bench-");
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
	const adminPort = await freePort();
	const env = {
		PATH: process.env.PATH,
		DATABASE_URL: url,
		PORT: "0",
		WAITLIST_ADMIN_PORT: `${adminPort}`,
		WAITLIST_SECRET: "0".repeat(64),
		WAITLIST_SUPPRESSION_FILE: join(folder, "suppressed"),
		SMTP_URL: "smtp://127.0.0.1:1",
		WAITLIST_MAIL_FROM: "hello@orbit.example",
		SITE_ORIGIN: "https://orbit.example",
	};
	const [main, cli] = ["main.js", "cli.js"].map((name) => join(process.cwd(), "dist/server", name));
	const run = (args: readonly string[]) =>
		execute(process.execPath, [cli!, ...args], { cwd: folder, env, maxBuffer: 1e9 });
	const stdio = ["ignore", "pipe", "inherit"] as const;
	const server = spawn(process.execPath, [main!], { cwd: folder, env, stdio: [...stdio] });
	const kill = atExit(() => server.kill());
	const address = await addressSaid(server);
	server.stdout.setEncoding("utf8").on("data", (lines: string) => {
		for (const line of lines.split("\n")) if (line.includes('"level":"error"')) console.error(line);
	});
	await fill(url);
	for (let run = 0; run < MOST_RUNS; run++) {
		const people = Array.from({ length: IMPORTED }, (_, n) => `import-${run}-${n}@example.com`);
		await writeFile(join(folder, `people-${run}.txt`), people.join("\n"));
	}
	const open = await signIn((await run(["admin", "--json"])).stdout);
	const visitors = sendVisitors(address);
	const rows: ({ name: string } & Awaited<ReturnType<typeof repeat>>)[] = [];

	async function repeat(work: (run: number) => Promise<unknown>, mostRuns = MOST_RUNS) {
		await wait(2000);
		let runs = 0;
		const began = performance.now();
		const felt = await visitors.during(async () => {
			do await work(runs++);
			while (runs < mostRuns && performance.now() - began < SECONDS * 1000 - 1);
		});
		return { runs, "s each": round((performance.now() - began) / 1000 / runs), ...felt };
	}

	for (const [name, argsOf] of Object.entries(commands).filter(([name]) => wanted(name))) {
		const felt = await repeat(
			(number) => {
				const together = argsOf(number);
				return together.length > 0 ? Promise.all(together.map(run)) : wait(SECONDS * 1000);
			},
			name === CANCEL ? 1 : MOST_RUNS,
		);
		rows.push({ name, ...felt });
	}
	for (const { path, form } of pages.filter(({ path }) => wanted(path))) {
		rows.push({ name: path, ...(await repeat(() => open(path, form))) });
	}
	visitors.stop();
	kill();
	await once(server, "exit");
	return rows;
}

/** Signs in by the link that `waitlist admin --json` printed, and returns what opens a page. */
async function signIn(said: string) {
	const { link } = JSON.parse(said) as { link: string };
	const { origin, pathname } = new URL(link);
	const headers: Record<string, string> = { origin, "sec-fetch-site": "same-origin" };
	async function open(path: string, form?: Record<string, string>): Promise<Response> {
		const body = form && new URLSearchParams(form);
		const sent = { method: form ? "POST" : "GET", headers, redirect: "manual" } as const;
		const response = await fetch(`${origin}${path}`, body ? { ...sent, body } : sent);
		await response.text();
		if (response.status >= 400) throw new Error(`${path} was answered with ${response.status}`);
		return response;
	}
	const signedIn = await open(pathname, {});
	headers.cookie = signedIn.headers.getSetCookie().join("; ").split(";")[0]!;
	return open;
}

/** Fills the database over a separate connection: nine in ten people have confirmed. */
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

/**
 * Visitors who join at a fixed rate. A join's time starts when it is due, so a stall counts for
 * all.
 */
function sendVisitors(url: string) {
	// Closes idle connections before the server does, after 5 s.
	const agent = new Agent({ keepAlive: true, timeout: 4000 });
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
		/** Join times of requests answered during some work. */
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
