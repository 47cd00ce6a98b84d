import { createApp } from "./app.ts";
import type { SharedDatabase } from "./database/database.ts";
import { keysAsJson } from "./database/dialect.ts";
import { openServerDatabase } from "./database/open-server-database.ts";
import { createReadiness, type Readiness } from "./database/readiness.ts";
import { crowdingAsText } from "./http/connections.ts";
import { type Admit, limitJoins } from "./http/limits.ts";
import type { Responder } from "./http/requests.ts";
import type { StaticFiles } from "./http/static-files.ts";
import { encryption } from "./http/transport-security.ts";
import { fastPath } from "./join/fast-path.ts";
import { createJoin } from "./join/join.ts";
import type { OutcomePages } from "./join/outcome-pages.ts";
import { askAgain, joinAndAsk } from "./letters/asking.ts";
import type { LetterPages } from "./letters/links/letter-pages.ts";
import { createLetterRoutes } from "./letters/links/letter-routes.ts";
import { createLinkLimits } from "./letters/links/link-limits.ts";
import { openLinkedPeople } from "./letters/links/linked-people.ts";
import { openOnRequest } from "./letters/links/on-request.ts";
import { openNoting } from "./letters/reports/noting.ts";
import { createReportRoutes } from "./letters/reports/report-routes.ts";
import { openLetters } from "./letters/sending/open-letters.ts";
import { type Log, logToStdout } from "./log.ts";
import { createMetrics, type Metrics } from "./metrics.ts";
import type { Settings } from "./settings.ts";
import { openSecret } from "./waitlist/open-secret.ts";
import { countVisits, type Visits } from "./waitlist/visits.ts";
import { COMMITS, openWaitlist, type Waitlist } from "./waitlist/waitlist.ts";
import { type Codes, createCodes } from "./waves/code.ts";
import { createGuesses } from "./waves/guesses.ts";
import { createInvitationRoutes } from "./waves/invitation-routes.ts";
import { createRedeem } from "./waves/redeem.ts";
import { createRedeemCall } from "./waves/redeem-call.ts";

/** What differs between production, development, tests and benches. */
export interface Parts {
	outcomePages: OutcomePages;
	/** Absent where another server shows the pages. */
	staticFiles?: StaticFiles;
	/** Absent where no page of a letter's link can be shown: then no letter is sent. */
	letterPages?: LetterPages;
	/** What is open already, in place of the database that the settings name. It is not measured. */
	opened?: { waitlist: Waitlist; database: SharedDatabase };
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
	{ outcomePages, staticFiles, letterPages, opened, log = logToStdout }: Parts,
): Promise<Composition> {
	const metrics = settings.metricsPort === undefined ? undefined : createMetrics();
	const sending = settings.mail !== undefined && letterPages !== undefined;
	const { database, waitlist } = opened ?? (await open(settings, { sending, metrics, log }));
	metrics?.waves(database.query);
	metrics?.pause(database.query);
	/** A process that ends while a thread of it works may crash. */
	const closeWaitlist = async (error: unknown): Promise<never> => {
		await waitlist.close();
		throw error;
	};
	const readiness = createReadiness(waitlist, () => performance.now());
	const limit = limitJoins(settings, log);
	const admit = metrics ? metrics.admit(limit) : limit;
	const join = createJoin({ waitlist, outcomePages, admit, log });
	const letters = sending
		? await composeLetters(settings, {
				...{ database, letterPages, admit: limit, metrics, log },
			}).catch(closeWaitlist)
		: undefined;
	const redeem =
		settings.apiKeys.length > 0
			? await composeRedeem(settings, { database, letters, admit: limit, metrics, log }).catch(
					closeWaitlist,
				)
			: undefined;
	const invitationRoutes =
		letters || redeem ? createInvitationRoutes({ pages: letterPages, redeem }) : undefined;
	const visits = staticFiles && countVisits(database, log);
	const app = createApp({
		join,
		staticFiles,
		onVisit: visits?.count,
		pageHeaders: outcomePages.headers,
		letterRoutes: letters?.routes,
		reportRoutes: letters?.reportRoutes,
		invitationRoutes,
		isReady: readiness.isReady,
		log,
	});
	return {
		fetch: app.fetch,
		fastPath: fastPath(join),
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

/** The database that the settings name, and the waitlist in it. */
async function open(
	settings: Settings,
	{ sending, metrics, log }: Pick<Composition, "metrics"> & { sending: boolean; log: Log },
) {
	const commits = COMMITS[settings.database.kind];
	const database = await openServerDatabase(settings.database, commits.parallelCommits);
	const joining = sending ? joinAndAsk(database.dialect) : undefined;
	return { database, waitlist: openWaitlist(database, commits, { log, metrics, joining }) };
}

/** The part that writes to people, and what the links in its letters lead to. */
async function composeLetters(
	settings: Settings,
	{
		database,
		letterPages: pages,
		admit,
		metrics,
		log,
	}: Pick<Composition, "metrics"> & {
		database: SharedDatabase;
		letterPages: LetterPages;
		admit: Admit;
		log: Log;
	},
) {
	const mail = settings.mail!;
	const onRequest = await openOnRequest(settings, () => database.query("SELECT 1 AS one"));
	const { secret } = onRequest;
	const codes = createCodes(secret);
	const { codeOf } = codes;
	metrics?.slowed(database.query);
	metrics?.backlog(database.query, mail);
	const onTried = metrics?.onTried;
	const { links, sender } = await openLetters({ mail, secret, codeOf, database, log, onTried });
	const again = askAgain(database.dialect);
	const routes = createLetterRoutes({
		links,
		pages,
		people: openLinkedPeople(database),
		leaving: onRequest,
		async ask(key) {
			await database.run({ asked: again(keysAsJson([key]), Date.now()) });
		},
		admit,
		limits: createLinkLimits(),
		log,
	});
	const { reports } = mail;
	const note = openNoting({ database, leaving: onRequest, log });
	return {
		routes,
		reportRoutes: createReportRoutes({ reports, note, admit, log }),
		codes,
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
		database,
		letters,
		admit,
		metrics,
		log,
	}: Pick<Composition, "metrics"> & {
		database: SharedDatabase;
		letters: { codes: Codes } | undefined;
		admit: Admit;
		log: Log;
	},
) {
	const codes = letters?.codes ?? createCodes(await openSecret(settings, database.query));
	return createRedeemCall({
		apiKeys: settings.apiKeys,
		redeem: createRedeem(codes, database),
		guesses: createGuesses(),
		admit,
		log,
		onRedeemed: metrics?.onRedeemed,
	});
}
