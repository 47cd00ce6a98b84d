import { Readable } from "node:stream";
import { type Context, Hono } from "hono";
import type { SharedDatabase } from "../database/database.ts";
import { type Html, html } from "../html.ts";
import { type Arrival, callOf } from "../http/call.ts";
import { createMeter } from "../http/meter.ts";
import type { Responder } from "../http/requests.ts";
import type { Log } from "../log.ts";
import type { OfficeSettings } from "../settings/office.ts";
import type { OfficeFiles } from "./files.ts";
import { createGuard, type Fault } from "./guard.ts";
import { downloadHeaders, letterHeaders, pageHeaders } from "./headers.ts";
import type { OfficeKeys } from "./keys.ts";
import { officeOrigin, officeOrigins } from "./origin.ts";
import type { Answer, OfficeRoute } from "./routes.ts";
import {
	endSession,
	findSession,
	isLinkGood,
	LINK_MINUTES,
	SESSION_HOURS,
	type Session,
	signIn,
} from "./sessions.ts";
import { createShell, SIGN_OUT_PATH } from "./shell.ts";
import { countForged, readForm, SIGN_IN_PATH, sessionCookie } from "./sign-in.ts";

/** What the office is made of. */
export interface OfficeParts {
	settings: OfficeSettings;
	keys: OfficeKeys;
	database: SharedDatabase;
	files: OfficeFiles;
	log: Log;
	now?: () => Date;
	routes: readonly OfficeRoute[];
}

/** Each reason to refuse is logged at most once in this time. */
const REFUSED_LOG_MS = 600_000;

/** After how long a frame asks again that met a fault. */
const ASK_AGAIN_SECONDS = 30;

/** As the manual writes it. */
const COMMAND = "waitlist office";

type OfficeContext = Context<{ Bindings: Arrival }>;

/**
 * The founder's page, as what a listener of its own responds with. Nothing in it is reached without a
 * session but the form of a link to sign in, and the style sheet.
 */
export function createOffice({
	settings,
	keys,
	database,
	files,
	log,
	now = () => new Date(),
	routes,
}: OfficeParts): Required<Pick<Responder, "fetch" | "isEncrypted" | "routeOf">> {
	const isSecure = officeOrigin(settings).startsWith("https:");
	const guard = createGuard(officeOrigins(settings));
	const cookie = sessionCookie(keys, isSecure);
	const shell = createShell(files, routes);
	const waitAfterForged = countForged();
	const logged = createMeter({ count: 1, periodMs: REFUSED_LOG_MS });
	/** What paths begin with. What follows may be the secret of a link, or a person. */
	const named = new Set(
		[...routes.map(({ path }) => path), SIGN_IN_PATH, SIGN_OUT_PATH].map(
			(path) => path.split("/")[1]!,
		),
	);
	const app = new Hono<{ Bindings: Arrival }>();

	function outside(
		status: number,
		title: string,
		words: Html,
		more: Record<string, string> = {},
	): Response {
		return new Response(shell.outside(title, words), {
			status,
			headers: { ...pageHeaders(), ...more },
		});
	}

	/** Says to the operator that somebody knocks who may not, and not how often. */
	function logRefusal(id: string | undefined, reason: Fault | "link" | "form"): void {
		const nowMs = performance.now();
		if (logged.waitMs(reason, nowMs) > 0) return;
		logged.count(reason, nowMs);
		log("error", "office refused", { id, reason });
	}

	function refuse(c: OfficeContext, fault: Fault): Response {
		logRefusal(c.env?.requestId, fault);
		if (fault === "method") {
			const more = { allow: "GET, HEAD, POST" };
			return outside(405, "Not here", html`<p>Only GET, HEAD and POST can be used here.</p>`, more);
		}
		const words = html`<p>The office takes requests from its own pages alone, at ${officeOrigin(settings)}.</p>`;
		return outside(403, "Not from here", words);
	}

	const signedOut = (status: number) =>
		outside(
			status,
			"Sign in",
			html`<p>This command prints a link that opens the office. It works once, within ${String(LINK_MINUTES)} minutes.</p>
<p class="code">${COMMAND}</p>`,
		);

	/** What forged links get as well: who tries them learns nothing. */
	const usedUp = () =>
		outside(
			403,
			"This link is used up",
			html`<p>It worked once, or its ${String(LINK_MINUTES)} minutes are over. This command prints another one.</p>
<p class="code">${COMMAND}</p>`,
		);

	function forgedLink(c: OfficeContext): Response {
		const waitSeconds = waitAfterForged();
		logRefusal(c.env?.requestId, "link");
		if (waitSeconds === 0) return usedUp();
		const words = html`<p>Too many links were tried that the office did not make.</p>`;
		return outside(429, "Too many tries", words, { "retry-after": `${waitSeconds}` });
	}

	app.use(async (c, next) => {
		const fault = guard(callOf(c.req.raw, c.env), c.req.method);
		if (fault) return refuse(c, fault);
		const file = c.req.method === "POST" ? undefined : files.respond(c.req.path, c.req.raw);
		if (file) return file;
		await next();
		// A browser shows nothing in a frame that may not be one, so that Live would end without a word.
		if (c.req.header("sec-fetch-dest") === "iframe" && c.res.status >= 400) {
			const again = c.res.status >= 500 ? { refresh: `${ASK_AGAIN_SECONDS}` } : {};
			const headers = { ...pageHeaders({ framed: true }), ...again };
			for (const [name, value] of Object.entries(headers)) c.res.headers.set(name, value);
		}
		return undefined;
	});

	app.get(`${SIGN_IN_PATH}:token`, async (c) => {
		const hash = keys.links.hashOf(c.req.param("token"));
		if (hash === undefined) return forgedLink(c);
		if (!(await isLinkGood(database.query, hash, now()))) return usedUp();
		const words = html`<p>This browser stays signed in for ${String(SESSION_HOURS)} hours.</p>
<form class="decision" method="post"><button class="return act" type="submit">Open the office</button></form>`;
		return outside(200, "Good to see you", words);
	});

	app.post(`${SIGN_IN_PATH}:token`, async (c) => {
		const hash = keys.links.hashOf(c.req.param("token"));
		if (hash === undefined) return forgedLink(c);
		const agent = c.req.header("user-agent") ?? "";
		const token = await signIn(database, keys, { hash, agent, now: now() });
		if (token === undefined) return usedUp();
		log("info", "office signed in", { id: c.env?.requestId });
		return seeOther("/", { "set-cookie": cookie.set(token) });
	});

	/** Responds to whoever is signed in. */
	const withSession =
		(respond: (c: OfficeContext, session: Session, at: Date) => Promise<Response>) =>
		async (c: OfficeContext): Promise<Response> => {
			const at = now();
			for (const hash of cookie.hashesIn(callOf(c.req.raw, c.env))) {
				const session = await findSession(database.query, hash, at);
				if (session) return respond(c, session, at);
			}
			return signedOut(403);
		};

	app.post(
		SIGN_OUT_PATH,
		withSession(async (c, { id }, at) => {
			await endSession(database, { id, by: id, now: at });
			log("info", "office signed out", { id: c.env?.requestId });
			return seeOther("/", { "set-cookie": cookie.remove() });
		}),
	);

	for (const { method, path, mostBytes, respond } of routes) {
		app.on(
			method,
			path,
			withSession(async (c, session, at) => {
				const form =
					method === "POST" ? await readForm(callOf(c.req.raw, c.env), mostBytes) : undefined;
				if (method === "POST" && !form) {
					logRefusal(c.env?.requestId, "form");
					return outside(
						400,
						"This cannot be read",
						html`<p>No form of the office sends this.</p>`,
					);
				}
				const asked = {
					session,
					database,
					now: at,
					parts: c.req.param() as Record<string, string>,
					search: new URL(c.req.url).searchParams,
					form: form ?? new URLSearchParams(),
				};
				return answerWith(await respond(asked), c, session);
			}),
		);
	}

	app.all(
		"*",
		withSession(async (c, session) => {
			const known = routes.some(({ path }) => path === c.req.path) || c.req.path === SIGN_OUT_PATH;
			const page = known
				? { title: "Not like this", main: html`<p>This address is used in another way.</p>` }
				: { title: "Nothing here", main: html`<p>The office has no such page.</p>` };
			return answerWith({ ...page, status: known ? 405 : 404 }, c, session);
		}),
	);

	function answerWith(answer: Answer, c: OfficeContext, session: Session): Response {
		if ("seeOther" in answer) return seeOther(answer.seeOther);
		if ("download" in answer) {
			const { download, file, type } = answer;
			const stream = Readable.toWeb(Readable.from(download)) as ReadableStream;
			return new Response(stream, { headers: downloadHeaders(file, type) });
		}
		if ("letter" in answer) return new Response(answer.letter, { headers: letterHeaders() });
		if ("frame" in answer) {
			const { refreshSeconds } = answer;
			const again = refreshSeconds === undefined ? {} : { refresh: `${refreshSeconds}` };
			const headers = { ...pageHeaders({ framed: true }), ...again };
			return new Response(shell.frame(answer), { headers });
		}
		const { status = 200, frames = false } = answer;
		const body = shell.page(answer, c.req.path, session);
		return new Response(body, { status, headers: pageHeaders({ frames }) });
	}

	app.onError((error, c) => {
		log("error", "request failed", { id: c.env?.requestId, error });
		const words = html`<p>The database did not answer, or the office has a fault. The log says which. What you asked for may be done: look before you ask again.</p>
<p><a class="act" href="/">The first screen</a></p>`;
		return outside(500, "That did not work", words);
	});

	return {
		fetch: app.fetch,
		isEncrypted: () => isSecure,
		routeOf(url) {
			const [, room = ""] = url.split(/[/?]/, 2);
			return `office /${named.has(room) ? room : "*"}`;
		},
	};
}

function seeOther(path: string, more: Record<string, string> = {}): Response {
	return new Response(null, {
		status: 303,
		headers: { ...pageHeaders(), ...more, location: path },
	});
}
