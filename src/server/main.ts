import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { createApp } from "./app.ts";
import { readStaticFiles, type SiteHeaders } from "./http/static-files.ts";
import { encryption } from "./http/transport-security.ts";
import { admission } from "./join/admission.ts";
import { registration } from "./join/join.ts";
import { readOutcomePages } from "./join/outcome-pages.ts";
import { listen } from "./listen.ts";
import { reportToStdout as report, reportsWritten } from "./log.ts";
import { createMetrics, listenForMetrics } from "./metrics.ts";
import { describeDatabase, readSettings } from "./settings.ts";
import { timestamp } from "./timestamp.ts";
import { openWaitlist } from "./waitlist/open-waitlist.ts";
import { createReadiness } from "./waitlist/readiness.ts";

/** The longest that stopping may take: service managers kill after 10 s or more. */
const STOP_MS = 10_000;

/** Of these, what the database gets after the last request. */
const SPARE_MS = 2500;

/** What the build wrote; this file is `dist/server/main.js`. */
const dist = fileURLToPath(new URL("..", import.meta.url));

try {
	await start();
} catch (error) {
	console.error(error instanceof Error ? error.message : error);
	process.exit(1);
}

async function start(): Promise<void> {
	const read = readSettings(process.env, process.cwd());
	if ("problems" in read) throw new Error(read.problems.join("\n"));
	const { settings } = read;

	const headers = await readSiteHeaders();
	const staticFiles = await readStaticFiles(join(dist, "site"), headers);
	const outcomePages = await readOutcomePages(join(dist, "outcomes"), headers.pages);
	const metrics = settings.metricsPort === undefined ? undefined : createMetrics();
	const waitlist = await openWaitlist(settings.database, report, metrics);
	const readiness = createReadiness(waitlist, () => performance.now());
	const admit = admission(settings, report);
	const register = registration({
		waitlist,
		outcomePages,
		now: timestamp,
		admit: metrics ? metrics.admit(admit) : admit,
		report,
	});
	const app = createApp({
		register,
		staticFiles,
		isReady: readiness.isReady,
		report,
	});
	const shown = metrics && (await listenForMetrics(metrics, settings.metricsPort!));
	const server = await listen(app.fetch, {
		...settings,
		register,
		isEncrypted: encryption(settings.trustedProxies),
		onAnswered(answered) {
			report("info", "request", { ...answered });
			metrics?.onAnswered(answered);
		},
	});
	report("info", "listening", { message: `Open ${server.url}` });
	const place = describeDatabase(settings.database);
	report("info", "waitlist open", { message: `Addresses are kept in ${place}` });
	if (shown) report("info", "metrics shown", { message: `Metrics are at ${shown.url}` });

	let stopping = false;
	/** Nothing acknowledged is only in memory, so a stop that takes too long loses nothing either. */
	async function stop(): Promise<void> {
		// npm and the terminal both pass an interrupt on: the second one is the same wish.
		if (stopping) return;
		stopping = true;
		setTimeout(() => process.exit(1), STOP_MS).unref();
		report("info", "stopping");
		readiness.drain();
		await wait(settings.drainMs);
		await server.close(STOP_MS - settings.drainMs - SPARE_MS);
		await waitlist.close();
		shown?.close();
		report("info", "stopped");
		await reportsWritten();
		process.exit(0);
	}
	process.on("SIGTERM", stop);
	process.on("SIGINT", stop);
}

/** The headers that the build derives from the pages; none in a build without. */
async function readSiteHeaders(): Promise<SiteHeaders> {
	const text = await readFile(join(dist, "headers.json"), "utf8").catch(() => "{}");
	return { pages: {}, files: {}, paths: {}, ...(JSON.parse(text) as Partial<SiteHeaders>) };
}
