import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { chown, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { findProgram, type Program } from "../bench/harness/browsers/find.ts";
import { findFreePort } from "../bench/harness/built-site.ts";
import { findUnprivilegedUser, queryPostgres } from "../bench/harness/postgres-cluster.ts";
import { runAtExit, temporaryFolder } from "../bench/harness/temporary.ts";

export const pgbouncerProgram: Program = {
	title: "PgBouncer",
	variable: "PGBOUNCER_PATH",
	commands: ["pgbouncer"],
	places: ["/usr/sbin/pgbouncer"],
	packages: ["pgbouncer"],
};

/** How long a client keeps its PostgreSQL session: the whole connection, or one transaction. */
export type PoolMode = "session" | "transaction";

export interface PgBouncer {
	before(url: string): string;
	stop(): Promise<void>;
}

export async function startPgBouncer(url: string, mode: PoolMode): Promise<PgBouncer> {
	const program = await findProgram(pgbouncerProgram);
	const { folder, remove } = await temporaryFolder("pgbouncer-");
	// PgBouncer refuses to run as root.
	const user = process.getuid?.() === 0 ? await findUnprivilegedUser() : undefined;
	const port = await findFreePort();
	const { hostname, port: serverPort, username } = new URL(url);
	const file = join(folder, "pgbouncer.ini");
	await writeFile(join(folder, "users"), `"${username}" ""\n`);
	// Round robin gives each transaction the session that was idle longest.
	await writeFile(
		file,
		`[databases]
* = host=${hostname} port=${serverPort}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = trust
auth_file = ${folder}/users
pool_mode = ${mode}
default_pool_size = 20
min_pool_size = ${mode === "transaction" ? 4 : 0}
server_round_robin = 1
`,
	);
	if (user) await chown(folder, user.uid, user.gid);
	const pooler: ChildProcess = spawn(program, [file], {
		...user,
		cwd: folder,
		stdio: ["ignore", "ignore", "pipe"],
	});
	const end = runAtExit(() => pooler.kill("SIGKILL"));
	let said = "";
	pooler.stderr!.setEncoding("utf8").on("data", (text: string) => {
		said = (said + text).slice(-10_000);
	});
	const ended = once(pooler, "close");
	let alive = true;
	void ended.then(() => {
		alive = false;
	});
	function before(target: string): string {
		const through = new URL(target);
		through.port = String(port);
		return through.href;
	}
	const answers = () => queryPostgres(before(url), "SELECT 1").catch(() => undefined);
	while (!(await answers())) {
		if (!alive) throw new Error(`PgBouncer ended: ${said}`);
		await new Promise((resolve) => setTimeout(resolve, 20));
	}
	return {
		before,
		async stop() {
			end();
			await ended;
			remove();
		},
	};
}
