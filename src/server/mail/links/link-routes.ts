import { type Context, Hono } from "hono";
import { canonicalEmail } from "#shared/email.ts";
import {
	LEAVE_FIELD,
	LETTER_PATH,
	type LetterPageName,
	leaveActions,
	UNSUBSCRIBE_PATH,
} from "#shared/letters.ts";
import { type Arrival, type Call, callOf, isCrossSite } from "../../http/call.ts";
import type { Admit } from "../../http/limits.ts";
import { createMeter } from "../../http/meter.ts";
import { notAllowed, responseOf, retryAfter } from "../../http/responses.ts";
import type { Log } from "../../log.ts";
import type { LinkedPerson } from "../../registrations/facts.ts";
import type { WayToLeave } from "../../registrations/suppression/suppression-file.ts";
import { asciiDomain } from "../../text/ascii-domain.ts";
import { MINUTE_MS } from "../../time.ts";
import type { RequestedKind } from "../emails/email.ts";
import type { LinkPages } from "./link-pages.ts";
import { isConfirmed, type LinkedPeople } from "./linked-people.ts";
import type { Links, ReadToken } from "./links.ts";

/** `done` is on disk and on the suppression list. `busy`: nothing was done, too many wait. */
export type Left = "done" | "busy";

export interface Leaving {
	stop(key: string, by: WayToLeave): Promise<Left>;
	erase(key: string): Promise<Left>;
}

interface LinkRoutesSettings {
	links: Links;
	pages: LinkPages;
	people: LinkedPeople;
	leaving: Leaving;
	/** Queues an email with a link for the person of a canonical address, if they may get one. */
	ask(kind: RequestedKind, key: string): Promise<void>;
	admit: Admit;
	log: Log;
}

/** Requests with the links of one person: they press a few buttons, and scanners open each link. */
const REQUESTS = { count: 60, periodMs: 10 * MINUTE_MS };

const RETRY_AFTER_SECONDS = 5;

/** Tokens may have a slash after them: see signedTokens. */
const CONFIRM = "/confirm/:token{.+}";
const LEAVE = "/leave/:token{.+}";

type LinkContext = Context<{ Bindings: Arrival }>;

/**
 * The pages behind the links in emails, `/confirm/…` and `/leave/…`, and the forms for a new link. Only
 * a POST changes anything, because virus scanners open every link. Mail programs post from anywhere
 * (RFC 8058).
 *
 * The response and its time are the same for a link that was altered or is too old, and for one whose
 * person was deleted. Unsubscribing and deleting have no limit: repeated, they change nothing.
 */
export function createLinkRoutes(settings: LinkRoutesSettings): Hono<{ Bindings: Arrival }> {
	const { links, pages, people, leaving, ask, admit, log } = settings;
	const routes = new Hono<{ Bindings: Arrival }>();
	const meter = createMeter(REQUESTS);

	const page = (...reply: Parameters<LinkPages>) => responseOf(pages(...reply));
	const unavailable = () => page(503, "unavailable", retryAfter(RETRY_AFTER_SECONDS));
	const tooMany = (seconds: number) => page(429, "too-many", retryAfter(seconds));
	routes.onError((error, c) => {
		log("error", "request failed", { id: c.env?.requestId, error });
		return unavailable();
	});

	function limitStranger(c: LinkContext): Response | undefined {
		const limited = admit(callOf(c.req.raw, c.env));
		return limited && tooMany(limited.retryAfter);
	}

	function limitPerson(id: string): Response | undefined {
		const nowMs = performance.now();
		const waitMs = meter.waitMs(id, nowMs);
		if (waitMs > 0) return tooMany(Math.ceil(waitMs / 1000));
		meter.count(id, nowMs);
		return undefined;
	}

	async function withLink(
		c: LinkContext,
		{ id, genuine, expired }: ReadToken,
		limit: (id: string) => Response | undefined,
		respond: (person: LinkedPerson) => Response | Promise<Response>,
	): Promise<Response> {
		const limited = genuine ? limit(id) : limitStranger(c);
		if (limited) return limited;
		// Before the link is judged: see above.
		const person = await people.find(id);
		return person && genuine && !expired ? respond(person) : page(404, "expired");
	}

	async function confirm(person: LinkedPerson): Promise<Response> {
		await people.confirm(person);
		return page(200, "confirmed");
	}

	const toConfirm = (c: LinkContext) => links.readConfirm(c.req.param("token")!, Date.now());
	routes.get(CONFIRM, (c) =>
		withLink(c, toConfirm(c), limitPerson, (person) =>
			page(200, isConfirmed(person) ? "confirmed" : "confirm"),
		),
	);
	routes.post(CONFIRM, (c) => withLink(c, toConfirm(c), limitPerson, confirm));

	const toLeave = (c: LinkContext) => links.readLeave(c.req.param("token")!);
	routes.get(LEAVE, (c) =>
		withLink(c, toLeave(c), limitPerson, () => {
			const isDeleting = c.req.query(LEAVE_FIELD) === leaveActions.delete;
			return page(200, isDeleting ? "delete" : "leave");
		}),
	);
	routes.post(LEAVE, (c) => {
		const leave = async (person: LinkedPerson) => {
			const action = (await readForm(c))?.get(LEAVE_FIELD);
			if (action === leaveActions.comeBack) return limitPerson(person.id) ?? confirm(person);
			const isDeleting = action === leaveActions.delete;
			// Any other POST is a mail program's.
			const by = action === leaveActions.stop ? "button" : "one-click";
			const left = await (isDeleting ? leaving.erase(person.key) : leaving.stop(person.key, by));
			if (left === "busy") return unavailable();
			return page(200, isDeleting ? "deleted" : "left");
		};
		return withLink(c, toLeave(c), () => undefined, leave);
	});

	/** A page with a form for an address, which gets an email. The response is the same for every address. */
	function addForm(path: string, kind: RequestedKind, form: LetterPageName, sent: LetterPageName) {
		routes.get(path, () => page(200, form));
		routes.post(path, async (c) => {
			const call = callOf(c.req.raw, c.env);
			if (isCrossSite(call) && !hidesOrigin(call)) return page(403, form);
			const limited = limitStranger(c);
			if (limited) return limited;
			const email = (await readForm(c))?.get("email");
			const address = canonicalEmail(typeof email === "string" ? email : "", asciiDomain);
			await ask(kind, "key" in address ? address.key : "");
			return page(200, sent);
		});
	}
	addForm(LETTER_PATH, "confirm", "expired", "asked");
	addForm(UNSUBSCRIBE_PATH, "unsubscribe", "unsubscribe", "unsubscribe-sent");

	for (const path of [CONFIRM, LEAVE, LETTER_PATH, UNSUBSCRIBE_PATH]) {
		routes.all(path, () => notAllowed("GET, HEAD, POST"));
	}
	return routes;
}

/**
 * Whether a browser before 2023 may send our form: its page has `no-referrer`, under which the origin
 * of a form is `null` (Fetch, 3.1).
 */
const hidesOrigin = (call: Call) =>
	call.header("sec-fetch-site") === null && call.header("origin") === "null";

async function readForm(c: LinkContext): Promise<FormData | undefined> {
	const call = callOf(c.req.raw, c.env);
	const body = await call.readBody();
	if ("refused" in body) return undefined;
	const headers = { "content-type": call.header("content-type") ?? "" };
	return new Response(body.text, { headers }).formData().catch(() => undefined);
}
