import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { SHOWN_WORDS_FILE } from "#shared/shown-words.ts";
import { adminOrigins } from "./admin/guard.ts";
import { readAdminFiles } from "./admin/shell.ts";
import { type ComposedServer, composeServer } from "./compose.ts";
import { failureSentence } from "./files/files.ts";
import { listen } from "./http/listen.ts";
import { readStaticFiles, type SiteHeaders } from "./http/static-files.ts";
import { readOutcomePages } from "./join/join.ts";
import { flushLog, logToStdout as log } from "./log.ts";
import { readLinkPages } from "./mail/links/link-routes.ts";
import { describeMailServer } from "./settings/mail.ts";
import { maskWebhookUrl } from "./settings/values.ts";
import { describeDatabase, readSettings, type Settings } from "./settings.ts";
import { printable } from "./text/printable.ts";

// Makes new files readable only by their owner.
process.umask(0o077);

/** Service managers kill after 10 s or more. */
const STOP_MS = 10_000;

/** Pending requests and emails get this much of STOP_MS; the database gets the rest. */
const GRACE_MS = 7500;

const dist = fileURLToPath(new URL("..", import.meta.url));

try {
	await start();
} catch (error) {
	console.error(printable(failureSentence(error)));
	process.exit(1);
}

async function start(): Promise<void> {
	const settings = readSettings(process.env, process.cwd());
	const text = await readFile(join(dist, "headers.json"), "utf8").catch(() => "{}");
	const headers: SiteHeaders = { pages: {}, files: {}, paths: {}, ...JSON.parse(text) };
	const composed = await composeServer(settings, {
		staticFiles: await readStaticFiles(join(dist, "site"), headers),
		outcomePages: await readOutcomePages(join(dist, "outcomes"), headers.pages),
		linkPages: await readLinkPages(join(dist, "link-pages")),
		shownWords: JSON.parse(await readFile(join(dist, SHOWN_WORDS_FILE), "utf8")),
		adminFiles: await readAdminFiles(join(dist, "admin")),
	});
	try {
		await serve(composed, settings);
	} catch (error) {
		await composed.close(GRACE_MS);
		throw error;
	}
}

async function serve(composed: ComposedServer, settings: Settings): Promise<void> {
	const { metrics, admin } = composed;
	const { mail, digestUrl, webhook } = settings;
	const host = "127.0.0.1";
	const listeners = [
		metrics &&
			(await listen(
				{ fetch: metrics.fetch },
				{ host, port: settings.metricsPort!, portSetting: "WAITLIST_METRICS_PORT" },
			)),
		admin &&
			(await listen(admin, {
				host,
				port: settings.admin!.port,
				portSetting: "WAITLIST_ADMIN_PORT",
				// Separate from the visitors' limit, so that a rush of visitors cannot lock out the founder.
				mostConnections: 100,
				// Adding a million emails takes three minutes, and a browser resends the form if the connection closes.
				silenceMs: 3_600_000,
			})),
		await listen(composed, settings),
	] as const;
	const [shown, , server] = listeners;
	const logStart = (event: string, message: string) => log("info", event, { message });
	logStart("listening", `Open ${server.url}`);
	logStart("waitlist open", `Addresses are stored in ${describeDatabase(settings.database)}`);
	if (mail) logStart("email on", `Emails are sent through ${describeMailServer(mail.server)}`);
	if (digestUrl) logStart("digest on", `The digest is sent to ${maskWebhookUrl(digestUrl)}`);
	if (webhook) logStart("events on", `Events are sent to ${maskWebhookUrl(webhook.url)}`);
	if (shown) logStart("metrics on", `Metrics are at ${shown.url}/metrics`);
	if (admin) logStart("admin open", `The admin pages are at ${adminOrigins(settings.admin!)[0]}`);

	let stopping = false;
	async function stop(): Promise<void> {
		// Ignores a second interrupt, because npm and the terminal both send one.
		if (stopping) return;
		stopping = true;
		setTimeout(() => process.exit(1), STOP_MS).unref();
		log("info", "stopping");
		composed.drain();
		const closed = listeners.map((listener) => listener?.close(GRACE_MS));
		await composed.close(GRACE_MS, Promise.all(closed));
		log("info", "stopped");
		await flushLog();
		process.exit(0);
	}
	process.on("SIGTERM", stop);
	process.on("SIGINT", stop);
}
