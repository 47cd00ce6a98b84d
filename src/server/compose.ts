import { createApp } from "./app.ts";
import { crowdingAsText } from "./http/connections.ts";
import type { Responder } from "./http/requests.ts";
import type { StaticFiles } from "./http/static-files.ts";
import { encryption } from "./http/transport-security.ts";
import { createCodes } from "./invitations/code.ts";
import { createGuesses } from "./invitations/guesses.ts";
import { createInvitationRoutes } from "./invitations/invitation-routes.ts";
import { createRedeem } from "./invitations/redeem.ts";
import { createRedeemCall } from "./invitations/redeem-call.ts";
import { createJoin } from "./join/join.ts";
import { type Admit, limitJoins } from "./join/limits.ts";
import type { OutcomePages } from "./join/outcome-pages.ts";
import { askAgain, joinAndAsk } from "./letters/asking.ts";
import type { LetterPages } from "./letters/letter-pages.ts";
import { createLetterRoutes } from "./letters/letter-routes.ts";
import { openLetters } from "./letters/open-letters.ts";
import { openRecipients } from "./letters/recipients.ts";
import { type Log, logToStdout } from "./log.ts";
import { createMetrics, type Metrics } from "./metrics.ts";
import { openSecret } from "./operator/erasure/secret.ts";
import { openOnRequest } from "./operator/on-request/on-request.ts";
import type { Settings } from "./settings.ts";
import { countVisits, type Visits } from "./visits/visits.ts";
import { openWaitlist } from "./waitlist/open-waitlist.ts";
import { createReadiness, type Readiness } from "./waitlist/readiness.ts";
import { type Dialect, dialects, keysAsJson } from "./waitlist/schema.ts";
import type { Waitlist } from "./waitlist/waitlist.ts";

/** What differs between production, development, tests and benches. */
export interface Parts {
	outcomePages: OutcomePages;
	/** Absent where another server shows the pages. */
	staticFiles?: StaticFiles;
	/** Absent where no page of a letter's link can be shown: then no letter is sent. */
	letterPages?: LetterPages;
	/** An open waitlist, in place of the one that the settings name. It is not measured. */
	waitlist?: Waitlist;
	/** Standard output, unless named. */
	log?: Log;
}

/** The server, ready to listen. */
export interface Composition extends Required<Responder> {
	/** Close it when the last request is over. */
	waitlist: Waitlist;
	/** Absent where another server shows the pages. Close them before the waitlist. */
	visits: Visits | undefined;
	/** Absent where no letters are sent. Close them before the waitlist. */
	letters: Closable | undefined;
	readiness: Readiness;
	/** Absent unless the settings ask for metrics. */
	metrics: Metrics | undefined;
}

/** Something with work under way. */
interface Closable {
	/** @param graceMs what is under way after this is cut off */
	close(graceMs: number): Promise<void>;
}

/**
 * Puts the parts of the server together. This is the only place that does.
 *
 * @throws Error with a sentence for the operator when the database cannot be used
 */
export async function compose(
	settings: Settings,
	{ outcomePages, staticFiles, letterPages, waitlist: opened, log = logToStdout }: Parts,
): Promise<Composition> {
	const metrics = settings.metricsPort === undefined ? undefined : createMetrics();
	const dialect = dialects[settings.database.kind];
	const sending = settings.mail !== undefined && letterPages !== undefined;
	const joining = sending ? joinAndAsk(dialect) : undefined;
	const waitlist = opened ?? (await openWaitlist(settings.database, log, { metrics, joining }));
	metrics?.waves(waitlist.run);
	const readiness = createReadiness(waitlist, () => performance.now());
	const limit = limitJoins(settings, log);
	const admit = metrics ? metrics.admit(limit) : limit;
	const join = createJoin({ waitlist, outcomePages, admit, log });
	const letters = sending
		? await composeLetters(settings, { waitlist, dialect, letterPages, admit: limit, metrics, log })
		: undefined;
	const redeem =
		settings.apiKeys.length > 0
			? await composeRedeem(settings, { waitlist, letters, admit: limit, metrics, log })
			: undefined;
	const invitationRoutes =
		letters || redeem ? createInvitationRoutes({ pages: letterPages, redeem }) : undefined;
	const visits = staticFiles && countVisits(waitlist.run, log);
	const app = createApp({
		join,
		staticFiles,
		onVisit: visits?.count,
		pageHeaders: outcomePages.headers,
		letterRoutes: letters?.routes,
		invitationRoutes,
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
		visits,
		letters,
		readiness,
		metrics,
	};
}

/** The part that writes to people, and what the links in its letters lead to. */
async function composeLetters(
	settings: Settings,
	{
		waitlist,
		dialect,
		letterPages: pages,
		admit,
		metrics,
		log,
	}: Pick<Composition, "waitlist" | "metrics"> & {
		dialect: Dialect;
		letterPages: LetterPages;
		admit: Admit;
		log: Log;
	},
) {
	const { run } = waitlist;
	const mail = settings.mail!;
	const onRequest = await openOnRequest(settings);
	const { secret } = onRequest;
	const onTried = metrics?.onTried;
	const { links, sender } = await openLetters({ mail, secret, run, dialect, log, onTried });
	const again = askAgain(dialect);
	const routes = createLetterRoutes({
		links,
		pages,
		recipients: openRecipients(run),
		leaving: onRequest,
		async ask(key) {
			await run([again(keysAsJson([key]), Date.now())]);
		},
		admit,
		log,
	});
	return {
		routes,
		secret,
		async close(graceMs: number) {
			await sender.close(graceMs);
			await onRequest.close();
		},
	};
}

/** The part that redeems invitations, whoever sends them. */
async function composeRedeem(
	settings: Settings,
	{
		waitlist: { run },
		letters,
		admit,
		metrics,
		log,
	}: Pick<Composition, "waitlist" | "metrics"> & {
		letters: { secret: string } | undefined;
		admit: Admit;
		log: Log;
	},
) {
	const codes = createCodes(letters?.secret ?? (await openSecret(settings, run)));
	return createRedeemCall({
		apiKeys: settings.apiKeys,
		redeem: createRedeem(codes, run),
		guesses: createGuesses(),
		admit,
		log,
		onRedeemed: metrics?.onRedeemed,
	});
}
