import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { chown } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import pg from "pg";
import { findProgram, type Program } from "./browsers/find.ts";
import { findFreePort } from "./built-site.ts";
import { runAtExit, temporaryFolder } from "./temporary.ts";

const run = promisify(execFile);

export interface PostgresDatabases {
	createDatabase(folder?: string): Promise<string>;
}

export interface PostgresCluster extends PostgresDatabases {
	start(): Promise<void>;
	/** By default disconnects all clients, like `pg_ctl stop -m fast`. */
	stop(signal?: NodeJS.Signals): Promise<void>;
	pids(): Promise<number[]>;
	signalAll(signal: NodeJS.Signals): Promise<void>;
	remove(): Promise<void>;
}

const program = (name: string): Program => ({
	title: `PostgreSQL's ${name}`,
	variable: `POSTGRES_${name.toUpperCase()}_PATH`,
	commands: [name],
	// Debian installs PostgreSQL outside the PATH, in one folder per version.
	places: [15, 16, 17, 18, 14].map((version) => `/usr/lib/postgresql/${version}/bin/${name}`),
	packages: ["postgresql"],
});

const ps = { title: "ps", variable: "PS_PATH", commands: ["ps"], packages: ["procps"] };

export const postgresPrograms = [...["initdb", "postgres"].map(program), ps];

/** An empty cluster's files, to copy: `initdb` takes 0.7 s of CPU time, a copy 0.1 s. */
let empty: Promise<string> | undefined;

async function createEmptyCluster(
	user: Awaited<ReturnType<typeof findUnprivilegedUser>> | undefined,
) {
	const initdb = await findProgram(postgresPrograms[0]!);
	const { folder } = await temporaryFolder("waitlist-postgres-");
	if (user) await chown(folder, user.uid, user.gid);
	const data = join(folder, "data");
	await run(
		initdb,
		["-D", data, "-U", "orbit", "-A", "trust", "-E", "UTF8", "--no-locale", "--no-sync"],
		{ ...user, cwd: folder },
	);
	return data;
}

/** Starts a new cluster, as another user if this one is root, which PostgreSQL refuses. */
export async function startPostgres(): Promise<PostgresCluster> {
	const postgres = await findProgram(postgresPrograms[1]!);
	const { folder, remove } = await temporaryFolder("waitlist-postgres-");
	const user = process.getuid?.() === 0 ? await findUnprivilegedUser() : undefined;
	if (user) await chown(folder, user.uid, user.gid);
	const data = join(folder, "data");
	empty ??= createEmptyCluster(user);
	await run("cp", ["-R", "-p", await empty, data], { ...user, cwd: folder });
	const port = await findFreePort();
	const url = (database: string) => `postgres://orbit@127.0.0.1:${port}/${database}`;

	let server: ReturnType<typeof spawn>;
	let ended: Promise<unknown>;
	let kill: () => void;
	async function start(): Promise<void> {
		server = spawn(postgres, ["-D", data, "-p", String(port), "-h", "127.0.0.1", "-k", folder], {
			...user,
			cwd: folder,
			stdio: ["ignore", "ignore", "pipe"],
		});
		const started = server;
		kill = runAtExit(() => started.kill("SIGQUIT"));
		let log = "";
		server.stderr!.setEncoding("utf8").on("data", (text) => {
			log = (log + text).slice(-10_000);
		});
		ended = once(server, "close");
		let alive = true;
		void ended.then(() => {
			alive = false;
		});
		while (!(await answers(url("postgres")))) {
			if (!alive) throw new Error(`PostgreSQL ended: ${log}`);
		}
	}
	async function stop(signal: NodeJS.Signals = "SIGINT"): Promise<void> {
		server.kill(signal);
		await ended;
	}

	async function pids(): Promise<number[]> {
		// PostgreSQL's processes are in different process groups, so a signal to one misses the others.
		const { stdout } = await run(await findProgram(ps), [
			"--ppid",
			String(server.pid),
			"-o",
			"pid=",
		]);
		return [server.pid!, ...stdout.split("\n").map(Number).filter(Boolean)];
	}

	await start();
	let databases = 0;
	return {
		async createDatabase(folder) {
			databases += 1;
			const name = `waitlist_${databases}`;
			if (folder) {
				if (user) await chown(folder, user.uid, user.gid);
				await queryPostgres(url("postgres"), `CREATE TABLESPACE ${name} LOCATION '${folder}'`);
			}
			const place = folder ? `TABLESPACE ${name}` : "";
			await queryPostgres(url("postgres"), `CREATE DATABASE ${name} ${place}`);
			return url(name);
		},
		start,
		stop,
		pids,
		async signalAll(signal) {
			for (const pid of await pids()) process.kill(pid, signal);
		},
		async remove() {
			kill();
			await ended;
			remove();
		},
	};
}

export async function queryPostgres<Row>(url: string, sql: string): Promise<Row[]> {
	const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5000 });
	client.on("error", () => {});
	await client.connect();
	try {
		return (await client.query(sql)).rows as Row[];
	} finally {
		await client.end();
	}
}

async function answers(url: string): Promise<boolean> {
	return queryPostgres(url, "SELECT 1").then(
		() => true,
		() => new Promise((resolve) => setTimeout(() => resolve(false), 50)),
	);
}

async function findUnprivilegedUser(): Promise<{ uid: number; gid: number }> {
	for (const name of ["postgres", "nobody"]) {
		try {
			const [uid, gid] = await Promise.all(
				["-u", "-g"].map(async (which) => Number((await run("id", [which, name])).stdout)),
			);
			return { uid: uid!, gid: gid! };
		} catch {
			// Systems may have only one of these users.
		}
	}
	throw new Error("PostgreSQL needs a user postgres or nobody to run as.");
}
