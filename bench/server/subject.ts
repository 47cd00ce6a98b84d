import { createServer } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { compose } from "../../src/server/compose.ts";
import type { SharedDatabase } from "../../src/server/database/database.ts";
import { type Commits, groupCommit } from "../../src/server/database/group-commit.ts";
import { listen } from "../../src/server/http/listen.ts";
import { logToStdout } from "../../src/server/log.ts";
import { commitJoins } from "../../src/server/mail/emails/requests.ts";
import { openServerDatabase } from "../../src/server/open-server-database.ts";
import type { Registration } from "../../src/server/registrations/registrations.ts";
import { readSettings } from "../../src/server/settings.ts";
import { newSecret } from "../../src/server/webhooks/sender.ts";

/**
 * One server to measure: `floor`,
 * `server <DATABASE_URL> <rows in a batch> <commits at once> [<extra ms per sync>]`, `asking`:
 * `server` that asks everybody to confirm, `telling`: `server` with a webhook receiver that is
 * down, or `forgetful`: `server` on a database that stores nothing. Except for `floor`, it is
 * composed as in production.
 */
const [kind, url = "", batchRows, parallelCommits, syncMs = "0"] = process.argv.slice(2);

const forgetful: Commits<Registration> = {
	add: (registrations) => Promise.resolve(registrations.map(({ key }) => key)),
	probe: () => Promise.resolve(),
	close: () => Promise.resolve(),
};

/** Simulates a slower disk: a commit is reported, and the next one starts, after the extra time. */
function slowed(commits: Commits<Registration>, ms: number): Commits<Registration> {
	let last: Promise<unknown> = Promise.resolve();
	return {
		...commits,
		add(registrations) {
			const added = last.then(async () => {
				const keys = await commits.add(registrations);
				await sleep(ms);
				return keys;
			});
			last = added.catch(() => {});
			return added;
		},
	};
}

if (kind === "floor") {
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
	server.listen(0, "127.0.0.1", () => {
		console.log(`Open http://127.0.0.1:${(server.address() as { port: number }).port}`);
	});
} else {
	const environment = {
		DATABASE_URL: url,
		PORT: "0",
		WAITLIST_ADDRESS_LIMIT: "0",
		...(kind === "telling" && {
			WAITLIST_WEBHOOK_URL: "http://127.0.0.1:9/",
			WAITLIST_WEBHOOK_SECRET: newSecret(),
			WAITLIST_SECRET: "0123456789abcdef0123456789abcdef",
		}),
	};
	const settings = readSettings(environment, process.cwd());
	const database =
		kind === "forgetful"
			? undefined
			: await openServerDatabase(settings.database, Number(parallelCommits));
	const asks = kind === "asking";
	const commits = database ? commitJoins(database, { asks }) : forgetful;
	const slower = Number(syncMs) > 0 ? slowed(commits, Number(syncMs)) : commits;
	const waitlist = groupCommit(slower, {
		batchRows: Number(batchRows),
		parallelCommits: Number(parallelCommits),
		timeoutMs: 10_000,
		log: logToStdout,
	});
	const outcomePages = { registered: "", duplicate: "", refused: "", headers: {} };
	const opened = { waitlist, database: database as SharedDatabase };
	const server = await listen(await compose(settings, { opened, outcomePages }), settings);
	console.log(`Open ${server.url}`);
}
