import { type Context, Hono } from "hono";
import type { SharedDatabase } from "../database/database.ts";
import { html } from "../html.ts";
import { type Arrival, callOf } from "../http/call.ts";
import type { Responder } from "../http/requests.ts";
import type { Log } from "../log.ts";
import type { AdminSettings } from "../settings/listening.ts";
import type { OfficeFiles } from "./files.ts";
import { createGuard } from "./guard.ts";
import { officeOrigin, officeOrigins } from "./origin.ts";
import { createOutside } from "./outside.ts";
import type { OfficeRoute } from "./page.ts";
import { respond, seeOther } from "./respond.ts";
import {
	findLink,
	findSession,
	type Session,
	signIn,
	signOut,
	signOutEveryone,
} from "./sessions.ts";
import { createShell, SIGN_OUT_EVERYONE_PATH, SIGN_OUT_PATH } from "./shell.ts";
import { readForm, SIGN_IN_PATH, sessionCookie } from "./sign-in.ts";

/** What the office is made of. */
export interface OfficeParts {
	settings: AdminSettings;
	/** Of the erasure key. */
	secret: string;
	database: SharedDatabase;
	files: OfficeFiles;
	log: Log;
	now?: () => Date;
	routes: readonly OfficeRoute[];
}

const SIGN_OUT_PATHS = [SIGN_OUT_PATH, SIGN_OUT_EVERYONE_PATH];

type OfficeContext = Context<{ Bindings: Arrival }>;

/**
 * The founder's page, as what a listener of its own responds with. Nothing in it is reached without a
 * session but the form of a link to sign in, and the style sheet.
 */
export function createOffice({
	settings,
	secret,
	database,
	files,
	log,
	now = () => new Date(),
	routes,
}: OfficeParts): Required<Pick<Responder, "fetch" | "isEncrypted" | "routeOf">> {
	const origin = officeOrigin(settings);
	const isSecure = origin.startsWith("https:");
	const guard = createGuard(officeOrigins(settings));
	const cookie = sessionCookie(secret, isSecure);
	const shell = createShell(files, routes);
	const outside = createOutside({ shell, origin, log });
	/** What paths begin with. What follows may be the secret of a link, or a person. */
	const named = new Set(
		[...routes.map(({ path }) => path), SIGN_IN_PATH, ...SIGN_OUT_PATHS].map(
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
		const link = await findLink(database, secret, c.req.param("token"), now());
		if (!link) return outside.forgedLink(idOf(c));
		return link.isOver ? outside.usedUp() : outside.welcome();
	});

	app.post(`${SIGN_IN_PATH}:token{.+}`, async (c) => {
		const at = now();
		const link = await findLink(database, secret, c.req.param("token"), at);
		if (!link) return outside.forgedLink(idOf(c));
		const token = link.isOver ? undefined : await signIn(database, secret, link, at);
		if (token === undefined) return outside.usedUp();
		log("info", "office signed in", { id: idOf(c) });
		return seeOther("/", { "set-cookie": cookie.set(token) });
	});

	const sessionOf = (c: OfficeContext, at: Date) =>
		findSession(database, secret, cookie.tokensIn(callOf(c.req.raw, c.env)), at);

	/** Responds to whoever is signed in. */
	const withSession =
		(inside: (c: OfficeContext, session: Session, at: Date) => Promise<Response>) =>
		async (c: OfficeContext): Promise<Response> => {
			const at = now();
			const session = await sessionOf(c, at);
			return session ? inside(c, session, at) : outside.signedOut();
		};

	for (const path of SIGN_OUT_PATHS) {
		app.post(
			path,
			withSession(async (c, session, at) => {
				if (path === SIGN_OUT_PATH) await signOut(database, session, at);
				else await signOutEveryone(database, session.id, at);
				log("info", "office signed out", { id: idOf(c) });
				return seeOther("/", { "set-cookie": cookie.remove() });
			}),
		);
	}

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
			const known = [...routes.map(({ path }) => path), ...SIGN_OUT_PATHS].includes(c.req.path);
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
