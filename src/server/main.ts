import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { SHOWN_WORDS_FILE } from "#shared/shown-words.ts";
import { readAdminFiles } from "./admin/files.ts";
import { adminOrigins } from "./admin/guard.ts";
import { type Composition, compose } from "./compose.ts";
import { type Listening, listen, listenForMetrics } from "./http/listen.ts";
import type { Responder } from "./http/requests.ts";
import { readStaticFiles, type SiteHeaders } from "./http/static-files.ts";
import { readOutcomePages } from "./join/outcome-pages.ts";
import { logToStdout as log, logWritten } from "./log.ts";
import { readLinkPages } from "./mail/links/link-pages.ts";
import { readShownWords } from "./registrations/wordings.ts";
import { describeMailServer } from "./settings/mail.ts";
import { describeHook } from "./settings/webhook.ts";
import { describeDatabase, readSettings, type Settings } from "./settings.ts";
import { printable } from "./text/printable.ts";

// What we create is readable for its owner only, from its first moment.
process.umask(0o077);

/** The longest that stopping may take. Service managers kill after 10 s or more. */
const STOP_MS = 10_000;

/** The part of STOP_MS that the database gets after the last request. */
const SPARE_MS = 2500;

/** The folder that the build wrote. This file is `dist/server/main.js`. */
const dist = fileURLToPath(new URL("..", import.meta.url));

try {
	await start();
} catch (error) {
	console.error(printable(error instanceof Error ? error.message : String(error)));
	process.exit(1);
}

async function start(): Promise<void> {
	const settings = readSettings(process.env, process.cwd());
	const headers = await readSiteHeaders();
	const composed = await compose(settings, {
		staticFiles: await readStaticFiles(join(dist, "site"), headers),
		outcomePages: await readOutcomePages(join(dist, "outcomes"), headers.pages),
		letterPages: await readLinkPages(join(dist, "letters")),
		shownWords: await readShownWords(join(dist, SHOWN_WORDS_FILE)),
		adminFiles: await readAdminFiles(join(dist, "admin")),
	});
	try {
		await serve(composed, settings);
	} catch (error) {
		await close(composed, STOP_MS - SPARE_MS);
		throw error;
	}
}

async function serve(composed: Composition, settings: Settings): Promise<void> {
	const { metrics, readiness } = composed;
	const shown = metrics && (await listenForMetrics(metrics.text, settings.metricsPort!));
	const admin = composed.admin && (await listenForAdmin(composed.admin, settings));
	const server = await listen(composed, settings);
	log("info", "listening", { message: `Open ${server.url}` });
	const place = describeDatabase(settings.database);
	log("info", "waitlist open", { message: `Addresses are kept in ${place}` });
	if (settings.mail) {
		const server = describeMailServer(settings.mail.server);
		log("info", "letters on", { message: `Letters go out by ${server}` });
	}
	if (settings.digestUrl) {
		log("info", "digest on", {
			message: `The team is told at ${describeHook(settings.digestUrl)}`,
		});
	}
	if (settings.webhook) {
		log("info", "events on", { message: `Events go to ${describeHook(settings.webhook.url)}` });
	}
	if (shown) log("info", "metrics shown", { message: `Metrics are at ${shown.url}` });
	if (settings.admin) {
		const [origin] = adminOrigins(settings.admin);
		log("info", "admin open", { message: `The admin pages are at ${origin}` });
	}

	let stopping = false;
	/** A stop that takes too long loses nothing: whatever was acknowledged is on disk. */
	async function stop(): Promise<void> {
		// Ignores the second interrupt, because npm and the terminal both pass one on.
		if (stopping) return;
		stopping = true;
		setTimeout(() => process.exit(1), STOP_MS).unref();
		log("info", "stopping");
		readiness.drain();
		await close(composed, STOP_MS - SPARE_MS, server, admin);
		shown?.close();
		log("info", "stopped");
		await logWritten();
		process.exit(0);
	}
	process.on("SIGTERM", stop);
	process.on("SIGINT", stop);
}

/** A founder's team needs few connections. Taking all of them delays no visitor. */
const MOST_ADMIN_CONNECTIONS = 100;

/**
 * For how long the admin pages may work on a response. Adding 20,000 emails took 3.7 s on a busy machine, so a
 * million take three minutes. A browser whose connection is cut may send the same form again by itself.
 */
const ADMIN_SILENCE_MS = 3_600_000;

function listenForAdmin(admin: Responder, settings: Settings): Promise<Listening> {
	return listen(admin, {
		host: "127.0.0.1",
		port: settings.admin!.port,
		portSetting: "WAITLIST_ADMIN_PORT",
		mostConnections: MOST_ADMIN_CONNECTIONS,
		silenceMs: ADMIN_SILENCE_MS,
	});
}

/** Closes the database last. A process that ends while one of its threads is at work may crash. */
async function close(
	{ letters, visits, admin, telling, waitlist }: Composition,
	graceMs: number,
	...listening: (Listening | undefined)[]
): Promise<void> {
	const servers = listening.map((server) => server?.close(graceMs));
	const pages = Promise.all(servers).then(() => admin?.close());
	await Promise.all([pages, letters?.close(graceMs), visits?.close(), telling.close()]);
	await waitlist.close();
}

/** The headers that the build derives from the pages. */
async function readSiteHeaders(): Promise<SiteHeaders> {
	const text = await readFile(join(dist, "headers.json"), "utf8").catch(() => "{}");
	return { pages: {}, files: {}, paths: {}, ...(JSON.parse(text) as Partial<SiteHeaders>) };
}
