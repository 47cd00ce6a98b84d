import { type Context, Hono } from "hono";
import type { SharedDatabase } from "../database/database.ts";
import { html } from "../html.ts";
import { type Arrival, callOf } from "../http/call.ts";
import type { Responder } from "../http/requests.ts";
import type { Log } from "../log.ts";
import type { OfficeSettings } from "../settings/office.ts";
import type { OfficeFiles } from "./files.ts";
import { createGuard } from "./guard.ts";
import type { OfficeKeys } from "./keys.ts";
import { officeOrigin, officeOrigins } from "./origin.ts";
import { createOutside } from "./outside.ts";
import { respond, seeOther } from "./respond.ts";
import type { OfficeRoute } from "./routes.ts";
import { endSession, findSession, isLinkGood, type Session, signIn } from "./sessions.ts";
import { createShell, SIGN_OUT_PATH } from "./shell.ts";
import { readForm, SIGN_IN_PATH, sessionCookie } from "./sign-in.ts";

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
	const origin = officeOrigin(settings);
	const isSecure = origin.startsWith("https:");
	const guard = createGuard(officeOrigins(settings));
	const cookie = sessionCookie(keys, isSecure);
	const shell = createShell(files, routes);
	const outside = createOutside({ shell, origin, log });
	/** What paths begin with. What follows may be the secret of a link, or a person. */
	const named = new Set(
		[...routes.map(({ path }) => path), SIGN_IN_PATH, SIGN_OUT_PATH].map(
			(path) => path.split("/")[1]!,
		),
	);
	const app = new Hono<{ Bindings: Arrival }>();

	app.use(async (c, next) => {
		const fault = guard(callOf(c.req.raw, c.env), c.req.method);
		if (fault) return outside.refuse(idOf(c), fault);
		const file = c.req.method === "POST" ? undefined : files.respond(c.req.path, c.req.raw);
		if (file) return file;
		await next();
		return undefined;
	});

	app.get(`${SIGN_IN_PATH}:token{.+}`, async (c) => {
		const hash = keys.links.hashOf(c.req.param("token"));
		if (hash === undefined) return outside.forgedLink(idOf(c));
		return (await isLinkGood(database.query, hash, now())) ? outside.welcome() : outside.usedUp();
	});

	app.post(`${SIGN_IN_PATH}:token{.+}`, async (c) => {
		const hash = keys.links.hashOf(c.req.param("token"));
		if (hash === undefined) return outside.forgedLink(idOf(c));
		const agent = c.req.header("user-agent") ?? "";
		const token = await signIn(database, keys, { hash, agent, now: now() });
		if (token === undefined) return outside.usedUp();
		log("info", "office signed in", { id: idOf(c) });
		return seeOther("/", { "set-cookie": cookie.set(token) });
	});

	async function sessionOf(c: OfficeContext, at: Date): Promise<Session | undefined> {
		for (const hash of cookie.hashesIn(callOf(c.req.raw, c.env))) {
			const session = await findSession(database.query, hash, at);
			if (session) return session;
		}
		return undefined;
	}

	/** Responds to whoever is signed in. */
	const withSession =
		(inside: (c: OfficeContext, session: Session, at: Date) => Promise<Response>) =>
		async (c: OfficeContext): Promise<Response> => {
			const at = now();
			const session = await sessionOf(c, at);
			return session ? inside(c, session, at) : outside.signedOut();
		};

	app.post(
		SIGN_OUT_PATH,
		withSession(async (c, { id }, at) => {
			await endSession(database, { id, by: id, now: at });
			log("info", "office signed out", { id: idOf(c) });
			return seeOther("/", { "set-cookie": cookie.remove() });
		}),
	);

	for (const route of routes) {
		app.on(
			route.method,
			route.path,
			withSession(async (c, session, at) => {
				const form =
					route.method === "POST"
						? await readForm(callOf(c.req.raw, c.env), route.mostBytes)
						: new URLSearchParams();
				if (!form) return outside.unreadable(idOf(c));
				// A body may take 15 s, and the session may have been ended meanwhile.
				if (route.method === "POST" && !(await sessionOf(c, now()))) return outside.signedOut();
				const search = new URL(c.req.url).searchParams;
				// PostgreSQL takes no text with such a character, and no page of ours sends one.
				if ([...search.values(), ...form.values()].some((text) => text.includes("\0"))) {
					return outside.unreadable(idOf(c));
				}
				const answer = await route.respond({
					session,
					database,
					now: at,
					parts: c.req.param() as Record<string, string>,
					search,
					form,
				});
				return respond(answer, shell, c.req.path, session, (error) =>
					log("error", "request failed", { id: idOf(c), error }),
				);
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
			return respond({ ...page, status: known ? 405 : 404 }, shell, c.req.path, session);
		}),
	);

	app.onError((error, c) => outside.failed(idOf(c), error));

	return {
		fetch: app.fetch,
		isEncrypted: () => isSecure,
		routeOf(url) {
			const [, room = ""] = url.split(/[/?]/, 2);
			return `office /${named.has(room) ? room : "*"}`;
		},
	};
}

const idOf = (c: OfficeContext) => c.env?.requestId;
