import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { type Context, Hono } from "hono";
import { canonicalizeEmail } from "#shared/email.ts";
import {
	ACTION_FIELD,
	type LinkPageName,
	linkActions,
	linkPageNames,
	NEW_LINK_PATH,
	UNSUBSCRIBE_PATH,
} from "#shared/links.ts";
import type { SharedDatabase } from "../../database/database.ts";
import { createCall, isCrossSite, type PeerAndRequestId } from "../../http/call.ts";
import { createQueue, createRateMeter, type RateLimiter } from "../../http/limits.ts";
import { methodNotAllowed, nosniff, retryAfterHeader } from "../../http/responses.ts";
import type { Log } from "../../log.ts";
import { findPersonById, type LinkedPerson } from "../../registrations/facts.ts";
import type { SuppressionList } from "../../registrations/suppression/suppression-list.ts";
import type { SaveWordings, Wording } from "../../registrations/wordings.ts";
import { asciiDomain } from "../../text/ascii-domain.ts";
import { DAY_MS, MINUTE_MS } from "../../time.ts";
import type { RequestedEmailKind } from "../emails/email.ts";
import { requestEmails } from "../emails/requests.ts";
import { DELETED_ON_REQUEST, deletePeople } from "../people/delete-people.ts";
import type { EmailLinks } from "./links.ts";
import { confirmPerson, unsubscribePeople } from "./unsubscribe.ts";

export type LinkPages = (
	status: number,
	name: LinkPageName,
	more?: Readonly<Record<string, string>>,
) => { status: number; headers: Record<string, string>; body: string };

export const linkPageResponse = ({ body, ...init }: ReturnType<LinkPages>) =>
	new Response(body, init);

/** These URLs are secrets: never cache, index or send them as referrer. */
const secretUrlHeaders = {
	"content-type": "text/html; charset=utf-8",
	"cache-control": "no-store",
	"referrer-policy": "no-referrer",
	"x-robots-tag": "noindex",
	...nosniff,
};

export async function readLinkPages(folder: string): Promise<LinkPages> {
	const read = (file: string) => readFile(join(folder, file), "utf8");
	const headers = { ...JSON.parse(await read("headers.json")), ...secretUrlHeaders };
	const pages = new Map<LinkPageName, string>();
	for (const name of linkPageNames) pages.set(name, await read(`${name}.html`));
	return (status, name, more) => ({
		status,
		headers: { ...headers, ...more },
		body: pages.get(name)!,
	});
}

export interface LinkRoutesSettings {
	links: EmailLinks;
	pages: LinkPages;
	database: SharedDatabase;
	list: SuppressionList;
	shown: { page: Wording; keep: SaveWordings } | undefined;
	admit: RateLimiter;
	log: Log;
}

/** Requests per person: a few buttons, and virus scanners that open each link. */
const REQUESTS = { count: 60, periodMs: 10 * MINUTE_MS };

/** Limits resubscribing: each later unsubscribe adds to the suppression list. */
const RETURNS = { count: 3, periodMs: DAY_MS };

/** Queue length: each change takes 20 to 40 ms, so the last one waits less than 5 s. */
const MOST_WAITING = 100;

/** Mail apps may append characters to a token, even a slash. */
const CONFIRM = "/confirm/:token{.+}";
const UNSUBSCRIBE = "/unsubscribe/:token{.+}";

type LinkContext = Context<{ Bindings: PeerAndRequestId }>;

/**
 * Serves the pages behind email links. Only POST changes anything, because virus scanners open every link.
 *
 * Altered links, expired links and links of deleted people get the same response in the same time.
 */
export function createLinkRoutes({
	links,
	pages,
	database,
	list,
	shown,
	admit,
	log,
}: LinkRoutesSettings): Hono<{ Bindings: PeerAndRequestId }> {
	const routes = new Hono<{ Bindings: PeerAndRequestId }>();
	const requests = createRateMeter(REQUESTS);
	const returns = createRateMeter(RETURNS);
	const queued = createQueue(MOST_WAITING);
	const page = (...reply: Parameters<LinkPages>) => linkPageResponse(pages(...reply));
	const tooMany = (seconds: number) => page(429, "too-many", retryAfterHeader(seconds));
	routes.onError((error, c) => {
		log("error", "request failed", { id: c.env?.requestId, error });
		return page(503, "unavailable", retryAfterHeader(5));
	});

	function limitStranger(c: LinkContext): Response | undefined {
		const seconds = admit(createCall(c.req.raw, c.env));
		return seconds > 0 ? tooMany(seconds) : undefined;
	}

	function limitPerson(id: string, meter = requests): Response | undefined {
		const nowMs = performance.now();
		const waitMs = meter.waitMs(id, nowMs);
		if (waitMs > 0) return tooMany(Math.ceil(waitMs / 1000));
		meter.count(id, nowMs);
		return undefined;
	}

	async function withLink(
		c: LinkContext,
		{ id, genuine, expired }: ReturnType<EmailLinks["readUnsubscribe"]>,
		respond: (person: LinkedPerson) => Response | Promise<Response>,
		limit = (id: string) => limitPerson(id),
	): Promise<Response> {
		const limited = genuine ? limit(id) : limitStranger(c);
		if (limited) return limited;
		// Runs the query even for invalid links, so that all responses take the same time.
		const person = await findPersonById(database, id);
		return person && genuine && !expired ? respond(person) : page(404, "expired");
	}

	async function confirm({ id, unsubscribedAt }: LinkedPerson): Promise<Response> {
		const limited = unsubscribedAt === "" ? undefined : limitPerson(id, returns);
		if (limited) return limited;
		await shown?.keep();
		const version = shown?.page.version ?? "";
		await database.transact(confirmPerson, { id, now: new Date(), page: version });
		return page(200, "confirmed");
	}

	const toConfirm = (c: LinkContext) => links.readConfirm(c.req.param("token")!, Date.now());
	routes.get(CONFIRM, (c) =>
		withLink(c, toConfirm(c), ({ confirmedAt, unsubscribedAt }) => {
			const isConfirmed = confirmedAt !== "" && unsubscribedAt === "";
			return page(200, isConfirmed ? "confirmed" : "confirm");
		}),
	);
	routes.post(CONFIRM, (c) => withLink(c, toConfirm(c), confirm));

	const toUnsubscribe = (c: LinkContext) => links.readUnsubscribe(c.req.param("token")!);
	routes.get(UNSUBSCRIBE, (c) =>
		withLink(c, toUnsubscribe(c), () =>
			page(200, c.req.query(ACTION_FIELD) === linkActions.delete ? "delete" : "unsubscribe"),
		),
	);
	routes.post(UNSUBSCRIBE, (c) => {
		const respond = async (person: LinkedPerson) => {
			const { id, key } = person;
			const action = (await readForm(c))?.get(ACTION_FIELD);
			if (action === linkActions.comeBack) return limitPerson(id) ?? confirm(person);
			const now = new Date();
			if (action === linkActions.delete) {
				const limited = limitPerson(id);
				if (limited) return limited;
				await queued(() =>
					deletePeople(database, list, [key], { now, reason: DELETED_ON_REQUEST }),
				);
				await database.forget();
				return page(200, "deleted");
			}
			// A POST without `action` comes from a mail app (RFC 8058).
			const way = action === linkActions.stop ? "button" : "one-click";
			await queued(() => unsubscribePeople(database, list, [key], { way, now }));
			return page(200, "unsubscribed");
		};
		return withLink(c, toUnsubscribe(c), respond, () => undefined);
	});

	/** Responds the same to all email addresses, which keeps secret who is on the list. */
	function addForm(path: string, kind: RequestedEmailKind, form: LinkPageName, sent: LinkPageName) {
		routes.get(path, () => page(200, form));
		routes.post(path, async (c) => {
			const call = createCall(c.req.raw, c.env);
			// With `no-referrer`, browsers before 2023 send `Origin: null` (Fetch, 3.1).
			const isOld = call.header("sec-fetch-site") === null && call.header("origin") === "null";
			if (isCrossSite(call) && !isOld) return page(403, form);
			const limited = limitStranger(c);
			if (limited) return limited;
			const email = (await readForm(c))?.get("email");
			const address = canonicalizeEmail(typeof email === "string" ? email : "", asciiDomain);
			const keys = ["key" in address ? address.key : ""];
			await database.transact(requestEmails, { kind, keys, now: Date.now() });
			return page(200, sent);
		});
	}
	addForm(NEW_LINK_PATH, "confirm", "expired", "link-sent");
	addForm(UNSUBSCRIBE_PATH, "unsubscribe", "unsubscribe-form", "unsubscribe-sent");

	for (const path of [CONFIRM, UNSUBSCRIBE, NEW_LINK_PATH, UNSUBSCRIBE_PATH]) {
		routes.all(path, () => methodNotAllowed("GET, HEAD, POST"));
	}
	return routes;
}

async function readForm(c: LinkContext): Promise<FormData | undefined> {
	const call = createCall(c.req.raw, c.env);
	const body = await call.readBody();
	if ("refused" in body) return undefined;
	const headers = { "content-type": call.header("content-type") ?? "" };
	return new Response(body.text, { headers }).formData().catch(() => undefined);
}
