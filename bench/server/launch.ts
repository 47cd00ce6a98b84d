import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { promisify } from "node:util";
import { addressSaid } from "../harness/built-site.ts";
import { startMailServer } from "../harness/mail-server.ts";
import { startDocumentedNginx } from "../harness/nginx.ts";
import { atExit, temporaryFolder } from "../harness/temporary.ts";
import { watchStolen } from "../host-took.ts";
import { type Launch, launch } from "./launch-visitors.ts";

/**
 * `npm run bench:launch`: an hour on a front page, in little more than a minute. Visitors come by
 * TLS through nginx with the configuration in deploying/server.md, join from separate addresses and
 * from a shared one, and are asked to confirm by a mail server that defers emails after a quota,
 * like SES. Exits with 1 if somebody was refused, nginx ran out of connections, or an
 * email is neither sent nor waiting.
 */

const SECONDS = Number(process.env.BENCH_SECONDS ?? 75);
/** Maximum opens per second. */
const PEAK = Number(process.env.BENCH_PEAK ?? 200);
/** Overrides the documented `worker_connections`. */
const connections = process.env.BENCH_WORKER_CONNECTIONS;
const workerConnections = connections ? Number(connections) : undefined;

/** Emails that the mail server accepts: fewer than people join. */
const QUOTA = 100;

const SETTLE_MS = 20_000;

const { folder, remove } = await temporaryFolder("launch-bench-");
const taken = new Set<string>();
const mailServer = await startMailServer({
	answer(step, to) {
		// The mail server is asked twice about an accepted email.
		if (step !== "message" || taken.has(to)) return undefined;
		if (taken.size >= QUOTA) return "454 Throttling failure: Daily message quota exceeded";
		taken.add(to);
		return undefined;
	},
});
const env = {
	PATH: process.env.PATH,
	PORT: "0",
	TRUSTED_PROXIES: "127.0.0.1",
	WAITLIST_SECRET: "0".repeat(64),
	SMTP_URL: mailServer.url,
	WAITLIST_MAIL_FROM: "hello@orbit.example",
	WAITLIST_SEND_RATE: "3600/1h",
	SITE_ORIGIN: "https://orbit.example",
};
const [main, cli] = ["main.js", "cli.js"].map((name) => join(process.cwd(), "dist/server", name));
const server = spawn(process.execPath, [main!], {
	cwd: folder,
	env,
	stdio: ["ignore", "pipe", "inherit"],
});
const kill = atExit(() => server.kill());
const { port } = new URL(await addressSaid(server));
const nginx = await startDocumentedNginx([Number(port)], { workerConnections });
try {
	const certificate = await readFile(nginx.certificate);
	const stolen = watchStolen();
	const felt = await launch(
		{ port: nginx.httpsPort, certificate },
		{ seconds: SECONDS, peak: PEAK },
	);
	const hostTook = stolen();
	const list = await readList();
	const emails = await readOverview(list.asked);
	const alarms = (await readFile(join(nginx.folder, "error.log"), "utf8"))
		.split("\n")
		.filter((line) => line.includes("worker_connections are not enough")).length;
	report(felt, { hostTook, list, emails, alarms });
} finally {
	await nginx.close();
	kill();
	await once(server, "exit");
	await mailServer.stop();
	remove();
}

async function ask(...words: string[]): Promise<string> {
	const run = promisify(execFile)(process.execPath, [cli!, ...words], { cwd: folder, env });
	return (await run).stdout;
}

/** Registrations, and those without a flag, who are asked to confirm. */
async function readList(): Promise<{ all: number; asked: number }> {
	const lines = (await ask("export", "--format", "jsonl")).split("\n").filter(Boolean);
	const marked = lines.filter((line) => (JSON.parse(line) as { flag: string }).flag !== "");
	return { all: lines.length, asked: lines.length - marked.length };
}

interface Emails {
	accepted: number;
	waiting: number;
	lastAt: string | null;
	pause: string | undefined;
}

/** The emails, once each unflagged person has one that was sent or waits. */
async function readOverview(asked: number): Promise<Emails> {
	const end = performance.now() + SETTLE_MS;
	for (;;) {
		const { emails, waiting, pause } = JSON.parse(await ask("emails", "--json")) as {
			emails: { state: string; count: number }[];
			waiting: { lastAt: string | null };
			pause: { reason: string } | null;
		};
		const inState = (...states: string[]) =>
			emails.reduce((sum, { state, count }) => sum + (states.includes(state) ? count : 0), 0);
		const found = {
			accepted: inState("accepted"),
			waiting: inState("waiting", "deferred"),
			lastAt: waiting.lastAt,
			pause: pause?.reason,
		};
		if (found.accepted + found.waiting === asked || performance.now() > end) return found;
		await wait(500);
	}
}

function report(
	felt: Launch,
	numbers: {
		hostTook: number;
		list: { all: number; asked: number };
		emails: Emails;
		alarms: number;
	},
): void {
	const { hostTook, list, emails, alarms } = numbers;
	const joined = felt.joins.filter(({ status }) => status === 201).length;
	const row = (requests: Launch["opens"], right: number) => {
		const times = requests.map(({ ms }) => ms).toSorted((a, b) => a - b);
		const part = (share: number) => Math.round(times[Math.ceil(share * times.length) - 1] ?? 0);
		return {
			all: requests.length,
			"a second": Math.round((requests.length / SECONDS) * 10) / 10,
			"p50 ms": part(0.5),
			"p99 ms": part(0.99),
			refused: requests.filter(({ status }) => status !== right).length,
		};
	};
	const rows = { opens: row(felt.opens, 200), joins: row(felt.joins, 201) };
	console.log(
		`${SECONDS} s with ${PEAK} opens a second at the peak, ${felt.mostAtOnce} visitors at once`,
	);
	console.table(rows);
	console.log(`connections that visitors had to open again: ${felt.reopened}`);
	console.log(`joins from one address, flagged as a burst: ${list.all - list.asked}`);
	const { accepted, waiting, lastAt, pause = "none" } = emails;
	const minutes = lastAt === null ? "?" : Math.round((Date.parse(lastAt) - Date.now()) / 60_000);
	console.log(
		`emails reported by the server: ${accepted} sent, ${waiting} waiting, the last due in ${minutes} minutes`,
	);
	console.log(`pause of emails: ${pause}`);
	console.log(`host took ${Math.round(hostTook * 100)} %`);
	const goals: [string, number][] = [
		["opens refused", rows.opens.refused],
		["joins refused", rows.joins.refused],
		["times that nginx said its worker_connections are not enough", alarms],
		["joins with an answer that are not on the list", joined - list.all],
		["emails neither sent nor waiting", list.asked - accepted - waiting],
		["emails that arrived and are not known as sent", taken.size - accepted],
	];
	for (const [what, count] of goals) {
		console.log(`${count === 0 ? "✓" : "✗"} ${what}: ${count}`);
		if (count !== 0) process.exitCode = 1;
	}
}
