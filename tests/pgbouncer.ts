import { chmod, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { debianProgram, findProgram } from "../bench/harness/browsers/find.ts";
import { startProgram } from "../bench/harness/browsers/program.ts";
import { findFreePort } from "../bench/harness/built-site.ts";
import { temporaryFolder } from "../bench/harness/temporary.ts";

export const pgbouncerProgram = debianProgram("pgbouncer", "PGBOUNCER_PATH", {
	places: ["/usr/sbin/pgbouncer"],
});

/** How long a client keeps its PostgreSQL session: the whole connection, or one transaction. */
export type PoolMode = "session" | "transaction";

export interface PgBouncer {
	before(url: string): string;
	stop(): Promise<void>;
}

export async function startPgBouncer(url: string, mode: PoolMode): Promise<PgBouncer> {
	const { folder, remove } = await temporaryFolder("pgbouncer-");
	const port = await findFreePort();
	const { hostname, port: serverPort, username } = new URL(url);
	const file = join(folder, "pgbouncer.ini");
	await writeFile(join(folder, "users"), `"${username}" ""\n`);
	// PgBouncer refuses to run as root. With round robin, successive transactions use different
	// sessions.
	await writeFile(
		file,
		`[databases]
* = host=${hostname} port=${serverPort}
[pgbouncer]
${process.getuid?.() === 0 ? "user = nobody" : ""}
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
	await chmod(folder, 0o755);
	const pooler = startProgram(await findProgram(pgbouncerProgram), [file]);
	await pooler.waitFor(/process up/);
	return {
		before: (target) => Object.assign(new URL(target), { port: String(port) }).href,
		async stop() {
			await pooler.end();
			remove();
		},
	};
}
