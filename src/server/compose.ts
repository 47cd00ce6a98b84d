import { brand } from "#brand";
import type { ShownWords } from "#shared/shown-words.ts";
import { createAdmin } from "./admin/admin.ts";
import type { AdminFiles } from "./admin/shell.ts";
import { createApp } from "./app.ts";
import type { SharedDatabase } from "./database/database.ts";
import { COMMIT_LIMITS, createGroupCommit } from "./database/group-commit.ts";
import { createRateLimiters } from "./http/limits.ts";
import { type FinishedRequest, MOST_CONNECTIONS } from "./http/listen.ts";
import type { StaticFiles } from "./http/static-files.ts";
import { createJoin, type OutcomePages } from "./join/join.ts";
import { createLogThrottle, type Log, logToStdout } from "./log.ts";
import { createJoinWriter } from "./mail/emails/requests.ts";
import { createFeedbackRoutes } from "./mail/feedback/feedback-routes.ts";
import {
	createLinkRoutes,
	type LinkPages,
	type LinkRoutesSettings,
} from "./mail/links/link-routes.ts";
import { startMail } from "./mail/sender.ts";
import { openServerDatabase } from "./open-server-database.ts";
import type { Waitlist } from "./registrations/registrations.ts";
import {
	findOrCreateKey,
	openSuppressionList,
} from "./registrations/suppression/suppression-list.ts";
import { startVisitCounter } from "./registrations/visits.ts";
import { createWordingSaver, createWordings, formatTerms } from "./registrations/wordings.ts";
import { locateSecrets } from "./secret.ts";
import type { Settings } from "./settings.ts";
import { setShownTimeZone } from "./time.ts";
import { createInvitationCoder } from "./waves/code.ts";
import { createInvitationRoutes } from "./waves/redeem-call.ts";
import { chatSender, startDigest } from "./webhooks/digest.ts";
import { disableWebhook } from "./webhooks/event.ts";
import { startEventSender } from "./webhooks/sender.ts";

/** Parts that differ between production, development, tests and benches. */
export interface ServerParts {
	outcomePages: OutcomePages;
	staticFiles?: StaticFiles;
	/** Pages behind email links. Without them, no email is sent. */
	linkPages?: LinkPages;
	shownWords?: ShownWords;
	adminFiles?: AdminFiles;
	/** Waitlist that is already open, used instead of the settings' database. */
	opened?: { waitlist: Waitlist; database: SharedDatabase };
	log?: Log;
}

export type ComposedServer = Awaited<ReturnType<typeof composeServer>>;

export async function composeServer(settings: Settings, parts: ServerParts) {
	const { outcomePages, staticFiles, linkPages, shownWords, adminFiles } = parts;
	const { opened, log = logToStdout } = parts;
	setShownTimeZone(settings.timeZone);
	const wordings = shownWords && createWordings(shownWords);
	const day = brand.legalEffectiveDate;
	const database = opened ? opened.database : await openServerDatabase(settings.database);
	const keep = wordings && createWordingSaver(database, wordings.all);
	const asks = Boolean(settings.mail && linkPages);
	const commits = createJoinWriter(database, { asks, keep });
	const waitlist =
		opened?.waitlist ??
		createGroupCommit(commits, { ...COMMIT_LIMITS[settings.database.kind], log });
	const metrics =
		settings.metricsPort === undefined
			? undefined
			: (await import("./metrics.ts")).createMetrics(database, settings.mail);
	let draining = false;
	const { admit, admitJoin } = createRateLimiters(settings, log);
	const terms = wordings ? formatTerms(day, wordings.form) : day;
	const join = createJoin({ waitlist, outcomePages, terms, admitJoin, asks });
	const places = locateSecrets(settings, settings.database);
	const secretOf = async () => (await findOrCreateKey(database, places)).secret;

	async function composeEmails(pages: LinkPages, shown: LinkRoutesSettings["shown"]) {
		const mail = settings.mail!;
		const list = await openSuppressionList(database, places);
		const { secret } = list.key;
		const coder = createInvitationCoder(secret);
		const { links, sender } = await startMail({
			mail,
			secret,
			database,
			log,
			codeOf: coder.codeOf,
			onAttempt: metrics?.onAttempt,
		});
		const shared = { database, list, admit, log };
		const linkRoutes = createLinkRoutes({ ...shared, links, pages, shown });
		const feedbackRoutes = createFeedbackRoutes({ ...shared, feedback: mail.feedback });
		return { routes: [linkRoutes, feedbackRoutes], coder, close: sender.close };
	}

	/** Without a webhook, drops undelivered events. */
	async function composeEvents() {
		const { webhook } = settings;
		if (webhook) return startEventSender({ database, webhook, secret: await secretOf(), log });
		try {
			const events = await database.transact(disableWebhook, undefined);
			if (events > 0) log("info", "events dropped", { events });
		} catch (error) {
			// Starts anyway: the site works even if the database is read-only.
			log("error", "events not dropped", { error });
		}
		return undefined;
	}

	async function composeRest() {
		const shown = wordings && keep && { page: wordings.page, keep };
		const emails = settings.mail && linkPages ? await composeEmails(linkPages, shown) : undefined;
		const { apiKeys } = settings;
		const invitations =
			emails || apiKeys.length > 0
				? createInvitationRoutes({
						apiKeys,
						database,
						coder: emails?.coder ?? createInvitationCoder(await secretOf()),
						pages: linkPages,
						admit,
						log,
					})
				: undefined;
		const admin =
			settings.admin && adminFiles
				? createAdmin({
						database,
						log,
						files: adminFiles,
						secret: await secretOf(),
						settings: { ...settings, admin: settings.admin },
					})
				: undefined;
		return { emails, invitations, admin, events: await composeEvents() };
	}

	const { emails, invitations, admin, events } = await composeRest().catch(async (error) => {
		await waitlist.close();
		throw error;
	});
	const visits = staticFiles && startVisitCounter(database, log);
	const digest = settings.digestUrl
		? startDigest({ database, say: chatSender(settings.digestUrl), log })
		: undefined;
	const app = createApp({
		join,
		staticFiles,
		log,
		onVisit: visits?.count,
		routes: [...(emails?.routes ?? []), invitations],
		isReady: async () => !draining && waitlist.isReady(),
	});
	const mayLog = createLogThrottle();
	const logRequest = (request: FinishedRequest) => log("info", "request", { ...request });
	return {
		fetch: app.fetch,
		onFinished(request: FinishedRequest) {
			logRequest(request);
			metrics?.onFinished(request);
		},
		isDraining: () => draining,
		/** Makes `/readyz` fail and closes each connection after its response. */
		drain() {
			draining = true;
		},
		onFull() {
			const message = `All ${MOST_CONNECTIONS} connections are in use: refusing new ones.`;
			if (mayLog(message)) log("error", "too many connections", { message });
		},
		waitlist,
		metrics,
		admin: admin && { ...admin, onFinished: logRequest },
		/** Closes the database last, and waits for its thread: exiting while it runs may crash the process. */
		async close(graceMs: number, listeners?: Promise<unknown>): Promise<void> {
			await Promise.all([
				listeners,
				emails?.close(graceMs),
				visits?.close(),
				digest?.close(),
				events?.close(),
			]);
			await waitlist.close();
		},
	};
}
