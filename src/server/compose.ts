import { createApp } from "./app.ts";
import { crowdingAsText } from "./http/connections.ts";
import type { Responder } from "./http/requests.ts";
import type { StaticFiles } from "./http/static-files.ts";
import { encryption } from "./http/transport-security.ts";
import { createJoin } from "./join/join.ts";
import { limitJoins } from "./join/limits.ts";
import type { OutcomePages } from "./join/outcome-pages.ts";
import { type Log, logToStdout } from "./log.ts";
import { createMetrics, type Metrics } from "./metrics.ts";
import type { Settings } from "./settings.ts";
import { openWaitlist } from "./waitlist/open-waitlist.ts";
import { createReadiness, type Readiness } from "./waitlist/readiness.ts";
import type { Waitlist } from "./waitlist/waitlist.ts";

/** What differs between production, development, tests and benches. */
export interface Parts {
	outcomePages: OutcomePages;
	/** Absent where another server shows the pages. */
	staticFiles?: StaticFiles;
	/** An open waitlist, in place of the one that the settings name. It is not measured. */
	waitlist?: Waitlist;
	/** Standard output, unless named. */
	log?: Log;
}

/** The server, ready to listen. */
export interface Composition extends Required<Responder> {
	/** Close it when the last request is over. */
	waitlist: Waitlist;
	readiness: Readiness;
	/** Absent unless the settings ask for metrics. */
	metrics: Metrics | undefined;
}

/**
 * Puts the parts of the server together. This is the only place that does.
 *
 * @throws Error with a sentence for the operator when the database cannot be used
 */
export async function compose(
	settings: Settings,
	{ outcomePages, staticFiles, waitlist: opened, log = logToStdout }: Parts,
): Promise<Composition> {
	const metrics = settings.metricsPort === undefined ? undefined : createMetrics();
	const waitlist = opened ?? (await openWaitlist(settings.database, log, { metrics }));
	const readiness = createReadiness(waitlist, () => performance.now());
	const limit = limitJoins(settings, log);
	const admit = metrics ? metrics.admit(limit) : limit;
	const join = createJoin({ waitlist, outcomePages, admit, log });
	const app = createApp({
		join,
		staticFiles,
		pageHeaders: outcomePages.headers,
		isReady: readiness.isReady,
		log,
	});
	return {
		fetch: app.fetch,
		join,
		onFinished(request) {
			log("info", "request", { ...request });
			metrics?.onFinished(request);
		},
		isEncrypted: encryption(settings.trustedProxies),
		isDraining: readiness.isDraining,
		onCrowded(crowding) {
			const details = { ...crowding, message: crowdingAsText(crowding) };
			// One connection's limit is its client's affair: nothing is wrong with the server.
			if (crowding.scope === "connection") log("info", "connections cut", details);
			else log("error", "too many connections", details);
		},
		waitlist,
		readiness,
		metrics,
	};
}
