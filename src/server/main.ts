import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { type Composition, compose } from "./compose.ts";
import { readStaticFiles, type SiteHeaders } from "./http/static-files.ts";
import { readOutcomePages } from "./join/outcome-pages.ts";
import { readLetterPages } from "./letters/links/letter-pages.ts";
import { type Listening, listen } from "./listen.ts";
import { logToStdout as log, logWritten } from "./log.ts";
import { listenForMetrics } from "./metrics.ts";
import { printable } from "./printable.ts";
import { describeMailServer } from "./settings/mail.ts";
import { describeDatabase, readSettings, type Settings } from "./settings.ts";

/** The longest that stopping may take. Service managers kill after 10 s or more. */
const STOP_MS = 10_000;

/** The share of it that the database gets after the last request. */
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
		letterPages: await readLetterPages(join(dist, "letters")),
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
	const shown = metrics && (await listenForMetrics(metrics, settings.metricsPort!));
	const server = await listen(composed, settings);
	log("info", "listening", { message: `Open ${server.url}` });
	const place = describeDatabase(settings.database);
	log("info", "waitlist open", { message: `Addresses are kept in ${place}` });
	if (settings.mail) {
		const server = describeMailServer(settings.mail.server);
		log("info", "letters on", { message: `Letters go out by ${server}` });
	}
	if (shown) log("info", "metrics shown", { message: `Metrics are at ${shown.url}` });

	let stopping = false;
	/** A stop that takes too long loses nothing: whatever was acknowledged is on disk. */
	async function stop(): Promise<void> {
		// npm and the terminal both pass an interrupt on: the second one changes nothing.
		if (stopping) return;
		stopping = true;
		setTimeout(() => process.exit(1), STOP_MS).unref();
		log("info", "stopping");
		readiness.drain();
		await wait(settings.drainMs);
		const graceMs = STOP_MS - settings.drainMs - SPARE_MS;
		await close(composed, graceMs, server);
		shown?.close();
		log("info", "stopped");
		await logWritten();
		process.exit(0);
	}
	process.on("SIGTERM", stop);
	process.on("SIGINT", stop);
}

/** Closes the database last. A process that ends while one of its threads is at work may crash. */
async function close(
	{ letters, visits, waitlist }: Composition,
	graceMs: number,
	server?: Listening,
): Promise<void> {
	await Promise.all([server?.close(graceMs), letters?.close(graceMs), visits?.close()]);
	await waitlist.close();
}

/** The headers that the build derives from the pages. */
async function readSiteHeaders(): Promise<SiteHeaders> {
	const text = await readFile(join(dist, "headers.json"), "utf8").catch(() => "{}");
	return { pages: {}, files: {}, paths: {}, ...(JSON.parse(text) as Partial<SiteHeaders>) };
}
