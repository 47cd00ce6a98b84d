import { brand } from "#brand";
import type { ShownWords } from "#shared/shown-words.ts";
import { type Admin, createAdmin } from "./admin/admin.ts";
import type { AdminFiles } from "./admin/files.ts";
import { createApp } from "./app.ts";
import type { SharedDatabase } from "./database/database.ts";
import { createReadiness, type Readiness } from "./database/readiness.ts";
import { MOST_CONNECTIONS } from "./http/connections.ts";
import { type Admit, limitJoins } from "./http/limits.ts";
import type { Responder } from "./http/requests.ts";
import type { StaticFiles } from "./http/static-files.ts";
import { encryption } from "./http/transport-security.ts";
import { createJoin } from "./join/join.ts";
import type { OutcomePages } from "./join/outcome-pages.ts";
import { type Log, logToStdout } from "./log.ts";
import { joinWith, requestEmails } from "./mail/emails/requests.ts";
import { createFeedbackQueue } from "./mail/feedback/feedback-queue.ts";
import { createFeedbackRoutes } from "./mail/feedback/feedback-routes.ts";
import { createLinkLimits } from "./mail/links/link-limits.ts";
import type { LinkPages } from "./mail/links/link-pages.ts";
import { createLinkRoutes } from "./mail/links/link-routes.ts";
import { openLinkedPeople, type Shown } from "./mail/links/linked-people.ts";
import { createOnRequest } from "./mail/links/on-request.ts";
import { openEmails } from "./mail/open-sender.ts";
import type { Metrics } from "./metrics.ts";
import { openServerDatabase } from "./open-server-database.ts";
import { openKey, openSuppressionList } from "./registrations/suppression/open-suppression-list.ts";
import { countVisits, type Visits } from "./registrations/visits.ts";
import { addTo, COMMITS, openWaitlist, type Waitlist } from "./registrations/waitlist.ts";
import {
	type Keep,
	keepOnce,
	type ShownWordings,
	termsOf,
	wordingsOf,
} from "./registrations/wordings.ts";
import { placesOf } from "./secret.ts";
import type { Settings } from "./settings.ts";
import { showTimesIn } from "./time.ts";
import { createCodes } from "./waves/code.ts";
import { createInvitationRoutes } from "./waves/invitation-routes.ts";
import { openRedeem } from "./waves/redeem-call.ts";
import { openChat, startDigest } from "./webhooks/digest.ts";
import { startEventSender } from "./webhooks/sender.ts";
import { closeWebhook } from "./webhooks/webhook.ts";

/** What differs between production, development, tests and benches. */
export interface Parts {
	outcomePages: OutcomePages;
	/** Absent where another server shows the pages. */
	staticFiles?: StaticFiles;
	/** Absent where no page of an email's link can be shown: then no email is sent. */
	letterPages?: LinkPages;
	/** Absent where the pages were not built: then nobody knows what they say. */
	shownWords?: ShownWords;
	/** Absent where there are no admin pages. */
	adminFiles?: AdminFiles;
	/** A waitlist that is open already, in place of the settings' database. It is not measured. */
	opened?: { waitlist: Waitlist; database: SharedDatabase; keep?: Keep };
	/** Standard output, unless named. */
	log?: Log;
}

/** The server, ready to listen. */
export interface Composition extends Required<Omit<Responder, "routeOf">> {
	/** Close it when the last request is over. */
	waitlist: Waitlist;
	/** Absent where another server shows the pages. Close them before the waitlist. */
	visits: Visits | undefined;
	/** Absent where no emails are sent. Close them before the waitlist. */
	letters: Closable | undefined;
	readiness: Readiness;
	/**
	 * The admin pages, for a listener of their own. Absent unless the settings ask for them. Close them
	 * after the last request, and before the waitlist.
	 */
	admin: (Responder & Pick<Admin, "close">) | undefined;
	/** What tells the team and other systems. Close it before the waitlist. */
	telling: { close(): Promise<void> };
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
	{
		outcomePages,
		staticFiles,
		letterPages,
		shownWords,
		adminFiles,
		opened,
		log = logToStdout,
	}: Parts,
): Promise<Composition> {
	showTimesIn(settings.timeZone);
	const metrics =
		settings.metricsPort === undefined ? undefined : (await import("./metrics.ts")).createMetrics();
	const sending = settings.mail !== undefined && letterPages !== undefined;
	const wordings = shownWords && wordingsOf(shownWords);
	const day = brand.legalEffectiveDate;
	const terms = wordings ? termsOf(day, wordings.form) : day;
	const { database, waitlist, keep } =
		opened ?? (await open(settings, { sending, wordings, metrics, log }));
	metrics?.watch(database, settings.mail);
	/** A process that ends while a thread of it works may crash. */
	const closeWaitlist = async (error: unknown): Promise<never> => {
		await waitlist.close();
		throw error;
	};
	const readiness = createReadiness(waitlist, () => performance.now());
	const { admit, ...limits } = limitJoins(settings, log);
	const admitJoin = metrics ? metrics.admitJoin(limits.admitJoin) : limits.admitJoin;
	const join = createJoin({ waitlist, outcomePages, terms, admitJoin, log });
	const letters = sending
		? await composeEmails(settings, {
				database,
				letterPages,
				admit,
				metrics,
				log,
				shown: wordings && keep && { page: wordings.page, keep },
			}).catch(closeWaitlist)
		: undefined;
	const redeem =
		settings.apiKeys.length > 0
			? await openRedeem(settings, {
					database,
					codes: letters?.codes,
					admit,
					log,
					onRedeemed: metrics?.onRedeemed,
				}).catch(closeWaitlist)
			: undefined;
	const invitationRoutes =
		letters || redeem ? createInvitationRoutes({ pages: letterPages, redeem }) : undefined;
	const admin =
		settings.admin && adminFiles
			? await composeAdmin(settings, { database, files: adminFiles, log }).catch(closeWaitlist)
			: undefined;
	const visits = staticFiles && countVisits(database, log);
	const digest = settings.digestUrl
		? startDigest({ database, say: openChat(settings.digestUrl), log })
		: undefined;
	const app = createApp({
		join,
		staticFiles,
		onVisit: visits?.count,
		pageHeaders: outcomePages.headers,
		letterRoutes: letters?.routes,
		feedbackRoutes: letters?.feedbackRoutes,
		invitationRoutes,
		isReady: readiness.isReady,
		log,
	});
	const events = await composeEvents(settings, database, log).catch(closeWaitlist);
	return {
		fetch: app.fetch,
		onFinished(request) {
			log("info", "request", { ...request });
			metrics?.onFinished(request);
		},
		isEncrypted: encryption(settings.trustedProxies),
		isDraining: readiness.isDraining,
		onFull(refused) {
			const message = `All ${MOST_CONNECTIONS} connections are taken: ${refused} new ones were refused.`;
			log("error", "too many connections", { refused, message });
		},
		waitlist,
		visits,
		letters,
		readiness,
		admin,
		telling: {
			async close() {
				await Promise.all([digest?.close(), events?.close()]);
			},
		},
		metrics,
	};
}

/** The database that the settings name, and the waitlist in it. */
async function open(
	settings: Settings,
	{
		sending,
		wordings,
		metrics,
		log,
	}: Pick<Composition, "metrics"> & {
		sending: boolean;
		wordings: ShownWordings | undefined;
		log: Log;
	},
) {
	const commits = COMMITS[settings.database.kind];
	const database = await openServerDatabase(settings.database, commits.parallelCommits);
	const keep = wordings && keepOnce(database, wordings.all);
	const adding = addTo(database, joinWith(database, { asks: sending }), keep);
	const waitlist = openWaitlist(adding, { ...commits, log }, metrics);
	return { database, waitlist, keep };
}

/** The part that writes to people, and what the links in its emails lead to. */
async function composeEmails(
	settings: Settings,
	parts: Pick<Composition, "metrics"> & {
		database: SharedDatabase;
		letterPages: LinkPages;
		shown: Shown | undefined;
		admit: Admit;
		log: Log;
	},
) {
	const { database, letterPages: pages, shown, admit, metrics, log } = parts;
	const mail = settings.mail!;
	const list = await openSuppressionList(database, placesOf(settings, settings.database));
	const { secret } = list.key;
	const leaving = createOnRequest(database, list);
	const codes = createCodes(secret);
	const { codeOf } = codes;
	const onTried = metrics?.onTried;
	const { links, sender } = await openEmails({ mail, secret, codeOf, database, log, onTried });
	const routes = createLinkRoutes({
		links,
		pages,
		people: openLinkedPeople(database, shown),
		leaving,
		async ask(kind, key) {
			await database.transact(requestEmails, { kind, keys: [key], now: Date.now() });
		},
		admit,
		limits: createLinkLimits(),
		log,
	});
	const { feedback } = mail;
	const record = createFeedbackQueue({ database, leaving, log });
	return {
		routes,
		feedbackRoutes: createFeedbackRoutes({ feedback, record, admit, log }),
		codes,
		close: sender.close,
	};
}

/** Starts the sender of events. Without a webhook, drops those that were not delivered. */
async function composeEvents(settings: Settings, database: SharedDatabase, log: Log) {
	const { webhook } = settings;
	if (webhook) {
		const { secret } = await openKey(database, placesOf(settings, settings.database));
		return startEventSender({ database, webhook, secret, log });
	}
	try {
		const events = await database.transact(closeWebhook, undefined);
		if (events > 0) log("info", "events dropped", { events });
	} catch (error) {
		// The pages are served even if the database takes no writes now.
		log("error", "events not dropped", { error });
	}
}

/** The admin pages. Visitors cannot reach them, and metrics do not count their requests. */
async function composeAdmin(
	settings: Settings,
	parts: { database: SharedDatabase; files: AdminFiles; log: Log },
): Promise<Composition["admin"]> {
	const { database, log } = parts;
	const { secret } = await openKey(database, placesOf(settings, settings.database));
	return {
		...createAdmin({ ...parts, settings: { ...settings, admin: settings.admin! }, secret }),
		onFinished: (request) => log("info", "request", { ...request }),
	};
}
