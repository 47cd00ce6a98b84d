import { domainToASCII } from "node:url";
import { type Context, Hono } from "hono";
import { canonicalEmail } from "#shared/email.ts";
import { LEAVE_FIELD, LETTER_PATH, leaveActions } from "#shared/letters.ts";
import { notAllowed, responseOf } from "../http/responses.ts";
import { type Arrival, isCrossSite, joinRequestOf } from "../join/join-request.ts";
import type { Admit } from "../join/limits.ts";
import type { Log } from "../log.ts";
import type { LetterPages } from "./letter-pages.ts";
import type { Links, ReadToken } from "./links.ts";
import { isConfirmed, type Recipient, type Recipients } from "./recipients.ts";

/** What somebody who leaves asks for. Both resolve when it is on disk, with its proof. */
export interface Leaving {
	/** No more letters. */
	stop(recipient: string): Promise<void>;
	/** No more record. */
	erase(recipient: string): Promise<void>;
}

/** What the pages behind the letters' links need. */
export interface LetterRoutesSettings {
	links: Links;
	pages: LetterPages;
	recipients: Recipients;
	leaving: Leaving;
	/** Asks the person of a canonical address to confirm once more, if that may be. */
	ask(key: string): Promise<void>;
	/** Limits the requests that no link of ours vouches for. */
	admit: Admit;
	log: Log;
}

type LetterContext = Context<{ Bindings: Arrival }>;

/**
 * The pages behind the letters' links: `/confirm/…`, `/leave/…` and the form for a new letter. Only a
 * POST changes anything, since programs that look for viruses open every link.
 *
 * The link is all that a request needs: no cookie vouches for anybody, so no other site can borrow
 * one, and mail programs leave by a POST of their own (RFC 8058) from wherever they are. Whether a
 * link was altered, is too old, or its person was erased, the response and its time are the same.
 */
export function createLetterRoutes(settings: LetterRoutesSettings): Hono<{ Bindings: Arrival }> {
	const { links, pages, recipients, leaving, ask, admit, log } = settings;
	const routes = new Hono<{ Bindings: Arrival }>();

	/** @param respond is called for people who are there, when their link is good */
	function withLink(
		c: LetterContext,
		{ id, genuine, expired }: ReadToken,
		respond: (person: Recipient) => Promise<Response>,
	): Promise<Response> {
		return orUnavailable(c, async () => {
			const limited = genuine ? undefined : tooMany(c);
			if (limited) return limited;
			// Before the link is judged: see above.
			const person = await recipients.find(id);
			if (!person || !genuine || expired) return responseOf(pages(404, "expired"));
			return respond(person);
		});
	}

	async function orUnavailable(
		c: LetterContext,
		respond: () => Promise<Response>,
	): Promise<Response> {
		try {
			return await respond();
		} catch (error) {
			log("error", "request failed", { id: c.env?.requestId, error });
			return responseOf(pages(503, "unavailable", { "retry-after": "5" }));
		}
	}

	function tooMany(c: LetterContext): Response | undefined {
		const limited = admit(joinRequestOf(c.req.raw, c.env));
		return (
			limited && responseOf(pages(429, "too-many", { "retry-after": `${limited.retryAfter}` }))
		);
	}

	const toConfirm = (c: LetterContext) => links.readConfirm(c.req.param("token")!, Date.now());
	routes.get("/confirm/:token", (c) =>
		withLink(c, toConfirm(c), async (person) =>
			responseOf(pages(200, isConfirmed(person) ? "confirmed" : "confirm")),
		),
	);
	routes.post("/confirm/:token", (c) =>
		withLink(c, toConfirm(c), async (person) => {
			await recipients.confirm(person);
			return responseOf(pages(200, "confirmed"));
		}),
	);

	const toLeave = (c: LetterContext) => links.readLeave(c.req.param("token")!);
	routes.get("/leave/:token", (c) =>
		withLink(c, toLeave(c), async () => responseOf(pages(200, "leave"))),
	);
	routes.post("/leave/:token", (c) =>
		withLink(c, toLeave(c), async ({ id }) => {
			const form = await readForm(c);
			// Whatever else a mail program posts, it wants to leave.
			if (form?.get(LEAVE_FIELD) === leaveActions.delete) {
				await leaving.erase(id);
				return responseOf(pages(200, "deleted"));
			}
			await leaving.stop(id);
			return responseOf(pages(200, "left"));
		}),
	);

	// Somebody opens the answer to the form again.
	routes.get(LETTER_PATH, () => responseOf(pages(200, "expired")));
	// The same response for every address, on the list or not.
	routes.post(LETTER_PATH, (c) =>
		orUnavailable(c, async () => {
			if (isCrossSite(joinRequestOf(c.req.raw, c.env))) return responseOf(pages(403, "expired"));
			const limited = tooMany(c);
			if (limited) return limited;
			const email = (await readForm(c))?.get("email");
			const address = canonicalEmail(typeof email === "string" ? email : "", domainToASCII);
			await ask("key" in address ? address.key : "");
			return responseOf(pages(200, "asked"));
		}),
	);

	routes.all("/confirm/:token", () => notAllowed("GET, HEAD, POST"));
	routes.all("/leave/:token", () => notAllowed("GET, HEAD, POST"));
	routes.all(LETTER_PATH, () => notAllowed("GET, HEAD, POST"));
	return routes;
}

/** A form as browsers and mail programs send it; undefined for anything else. */
async function readForm(c: LetterContext): Promise<FormData | undefined> {
	const request = joinRequestOf(c.req.raw, c.env);
	const body = await request.readBody();
	if ("refused" in body) return undefined;
	const headers = { "content-type": request.header("content-type") ?? "" };
	return new Response(body.text, { headers }).formData().catch(() => undefined);
}
