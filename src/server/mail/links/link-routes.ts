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
import { notAllowed, responseOf } from "../../http/responses.ts";
import type { Log } from "../../log.ts";
import type { LinkedPerson } from "../../registrations/facts.ts";
import type { WayToLeave } from "../../registrations/suppression/suppression-file.ts";
import { asciiDomain } from "../../text/ascii-domain.ts";
import type { RequestedKind } from "../emails/may-get.ts";
import type { LinkLimits } from "./link-limits.ts";
import type { LinkPages } from "./link-pages.ts";
import { isConfirmed, type LinkedPeople } from "./linked-people.ts";
import type { Links, ReadToken } from "./links.ts";

/** `done` is on disk, with its proof. With `busy` nothing was done: too many wait. */
export type Left = "done" | "busy";

/** What somebody who leaves asks for. */
export interface Leaving {
	/** No more emails. */
	stop(key: string, by: WayToLeave): Promise<Left>;
	/** No more record. */
	erase(key: string): Promise<Left>;
}

/** What the pages behind the emails' links need. */
export interface LinkRoutesSettings {
	links: Links;
	pages: LinkPages;
	people: LinkedPeople;
	leaving: Leaving;
	/** Makes an email with a link due for the person of a canonical address, if they may get one. */
	ask(kind: RequestedKind, key: string): Promise<void>;
	/** Limits the requests that no link of ours vouches for. */
	admit: Admit;
	/** Limits those of one person. */
	limits: LinkLimits;
	log: Log;
}

/** When to try again after too many others left: the queue is empty within that time. */
const BUSY_SECONDS = 5;

/** Tokens may have a slash after them: see signedTokens. */
const CONFIRM = "/confirm/:token{.+}";
const LEAVE = "/leave/:token{.+}";

type LinkContext = Context<{ Bindings: Arrival }>;

/**
 * The pages behind the letters' links, `/confirm/…` and `/leave/…`, and the forms for a new link. Only a
 * POST changes anything, since programs that look for viruses open every link.
 *
 * The link is all that a request needs: no cookie vouches for anybody, so no other site can borrow
 * one, and mail programs leave by a POST of their own (RFC 8058) from wherever they are. Whether a
 * link was altered, is too old, or its person was erased, the response and its time are the same.
 *
 * A link is good for any number of requests, so each person has limits. Leaving alone has none: it is
 * done whatever else was asked before, and done again it changes nothing.
 */
export function createLinkRoutes(settings: LinkRoutesSettings): Hono<{ Bindings: Arrival }> {
	const { links, pages, people, leaving, ask, admit, limits, log } = settings;
	const routes = new Hono<{ Bindings: Arrival }>();

	/**
	 * @param respond is called for people who are there, when their link is good
	 * @param limit counts a request with a link of ours
	 */
	function withLink(
		c: LinkContext,
		{ id, genuine, expired }: ReadToken,
		respond: (person: LinkedPerson) => Response | Promise<Response>,
		limit = limits.request,
	): Promise<Response> {
		return orUnavailable(c, async () => {
			const limited = genuine ? tooSoon(limit(id)) : tooMany(c);
			if (limited) return limited;
			// Before the link is judged: see above.
			const person = await people.find(id);
			if (!person || !genuine || expired) return responseOf(pages(404, "expired"));
			return respond(person);
		});
	}

	async function orUnavailable(
		c: LinkContext,
		respond: () => Promise<Response>,
	): Promise<Response> {
		try {
			return await respond();
		} catch (error) {
			log("error", "request failed", { id: c.env?.requestId, error });
			return responseOf(pages(503, "unavailable", { "retry-after": "5" }));
		}
	}

	function tooMany(c: LinkContext): Response | undefined {
		return tooSoon(admit(callOf(c.req.raw, c.env))?.retryAfter ?? 0);
	}

	/** @param retryAfter in seconds; 0 is no limit */
	function tooSoon(retryAfter: number): Response | undefined {
		if (retryAfter === 0) return undefined;
		return responseOf(pages(429, "too-many", { "retry-after": `${retryAfter}` }));
	}

	async function confirm(person: LinkedPerson): Promise<Response> {
		const limited = person.unsubscribedAt === "" ? undefined : tooSoon(limits.comeBack(person.id));
		if (limited) return limited;
		await people.confirm(person);
		return responseOf(pages(200, "confirmed"));
	}

	const toConfirm = (c: LinkContext) => links.readConfirm(c.req.param("token")!, Date.now());
	routes.get(CONFIRM, (c) =>
		withLink(c, toConfirm(c), (person) =>
			responseOf(pages(200, isConfirmed(person) ? "confirmed" : "confirm")),
		),
	);
	routes.post(CONFIRM, (c) => withLink(c, toConfirm(c), confirm));

	const toLeave = (c: LinkContext) => links.readLeave(c.req.param("token")!);
	routes.get(LEAVE, (c) =>
		withLink(c, toLeave(c), () => {
			const isDeleting = c.req.query(LEAVE_FIELD) === leaveActions.delete;
			return responseOf(pages(200, isDeleting ? "delete" : "leave"));
		}),
	);
	routes.post(LEAVE, (c) => {
		const leave = async (person: LinkedPerson) => {
			const action = (await readForm(c))?.get(LEAVE_FIELD);
			if (action === leaveActions.comeBack) {
				return tooSoon(limits.request(person.id)) ?? confirm(person);
			}
			// Whatever else a mail program posts, it wants to leave.
			const by = action === leaveActions.stop ? "button" : "one-click";
			const [left, page] =
				action === leaveActions.delete
					? ([await leaving.erase(person.key), "deleted"] as const)
					: ([await leaving.stop(person.key, by), "left"] as const);
			if (left === "done") return responseOf(pages(200, page));
			return responseOf(pages(503, "unavailable", { "retry-after": `${BUSY_SECONDS}` }));
		};
		return withLink(c, toLeave(c), leave, () => 0);
	});

	/** The two pages where somebody types an address, and gets an email of a kind. */
	function addForm(path: string, kind: RequestedKind, form: LetterPageName, sent: LetterPageName) {
		routes.get(path, () => responseOf(pages(200, form)));
		// The same response for every address, on the list or not.
		routes.post(path, (c) =>
			orUnavailable(c, async () => {
				const call = callOf(c.req.raw, c.env);
				if (isCrossSite(call) && !hidesOrigin(call)) return responseOf(pages(403, form));
				const limited = tooMany(c);
				if (limited) return limited;
				const email = (await readForm(c))?.get("email");
				const address = canonicalEmail(typeof email === "string" ? email : "", asciiDomain);
				await ask(kind, "key" in address ? address.key : "");
				return responseOf(pages(200, sent));
			}),
		);
	}
	addForm(LETTER_PATH, "confirm", "expired", "asked");
	addForm(UNSUBSCRIBE_PATH, "unsubscribe", "unsubscribe", "unsubscribe-sent");

	for (const path of [CONFIRM, LEAVE, LETTER_PATH, UNSUBSCRIBE_PATH]) {
		routes.all(path, () => notAllowed("GET, HEAD, POST"));
	}
	return routes;
}

/**
 * Whether a browser before 2023 sends our own form: its page has `no-referrer`, under which the origin of a
 * form is `null` (Fetch, 3.1), and nothing else says where it comes from.
 */
function hidesOrigin(call: Call): boolean {
	return call.header("sec-fetch-site") === null && call.header("origin") === "null";
}

/** A form as browsers and mail programs send it; undefined for anything else. */
async function readForm(c: LinkContext): Promise<FormData | undefined> {
	const request = callOf(c.req.raw, c.env);
	const body = await request.readBody();
	if ("refused" in body) return undefined;
	const headers = { "content-type": request.header("content-type") ?? "" };
	return new Response(body.text, { headers }).formData().catch(() => undefined);
}
