/**
 * Starts a server to measure. Modes are `grouped`, `emails` (which also queues confirmation emails)
 * and `single` (one commit per join). Without arguments, starts a bare `node:http` server that stores
 * nothing.
 */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { composeServer } from "../../src/server/compose.ts";
import { COMMIT_LIMITS, createGroupCommit } from "../../src/server/database/group-commit.ts";
import { listen } from "../../src/server/http/listen.ts";
import { logToStdout } from "../../src/server/log.ts";
import { createJoinWriter } from "../../src/server/mail/emails/requests.ts";
import { openServerDatabase } from "../../src/server/open-server-database.ts";
import { readSettings } from "../../src/server/settings.ts";

/** One join per commit. PostgreSQL gets a usual pool of ten connections; SQLite allows one writer. */
const SINGLE = {
	sqlite: { batchRows: 1, parallelCommits: 1 },
	postgres: { batchRows: 1, parallelCommits: 10 },
};

const [mode, url] = process.argv.slice(2);
console.log(`Open ${mode && url ? await serve(mode, url) : await serveBare()}`);

async function serve(mode: string, url: string): Promise<string> {
	const env = { DATABASE_URL: url, PORT: "0", WAITLIST_ADDRESS_LIMIT: "0" };
	const settings = readSettings(env, process.cwd());
	const { kind } = settings.database;
	const commit = mode === "single" ? SINGLE[kind] : COMMIT_LIMITS[kind];
	const database = await openServerDatabase(settings.database, commit.parallelCommits);
	const commits = createJoinWriter(database, { asks: mode === "emails" });
	const waitlist = createGroupCommit(commits, { ...commit, timeoutMs: 10_000, log: logToStdout });
	const outcomePages = { registered: "", duplicate: "", refused: "", headers: {} };
	const opened = { waitlist, database };
	return (await listen(await composeServer(settings, { opened, outcomePages }), settings)).url;
}

function serveBare(): Promise<string> {
	const server = createServer((request, response) => {
		let body = "";
		request.setEncoding("utf8").on("data", (text) => {
			body += text;
		});
		request.on("end", () => {
			const { email } = JSON.parse(body) as { email: string };
			response.writeHead(email.includes("@") ? 201 : 400, { "content-type": "application/json" });
			response.end('{"status":"registered"}');
		});
	});
	return new Promise((resolve) =>
		server.listen(0, "127.0.0.1", () =>
			resolve(`http://127.0.0.1:${(server.address() as AddressInfo).port}`),
		),
	);
}
