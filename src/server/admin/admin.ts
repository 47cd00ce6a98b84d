import { type Context, Hono } from "hono";
import type { SharedDatabase } from "../database/database.ts";
import { type Arrival, type Call, callOf } from "../http/call.ts";
import { mediaType } from "../http/fields.ts";
import type { Responder } from "../http/requests.ts";
import type { Log } from "../log.ts";
import { noteInAudit } from "../registrations/audit.ts";
import { placesOf } from "../secret.ts";
import type { AdminSettings } from "../settings/listening.ts";
import type { Settings } from "../settings.ts";
import { html } from "../text/html.ts";
import type { AdminFiles } from "./files.ts";
import { adminOrigins, createGuard } from "./guard.ts";
import type { Route } from "./page.ts";
import { activityRoutes } from "./pages/activity.ts";
import { emailRoutes } from "./pages/emails.ts";
import { importRoutes } from "./pages/import.ts";
import { newWaveRoutes } from "./pages/new-wave.ts";
import { peopleRoutes } from "./pages/people.ts";
import { personRoutes } from "./pages/person.ts";
import { todayRoutes } from "./pages/today.ts";
import { waveRoutes } from "./pages/waves.ts";
import { respond, seeOther } from "./responses.ts";
import {
	findLink,
	findSession,
	type Session,
	sessionCookie,
	signIn,
	signOut,
	signOutEveryone,
} from "./sessions.ts";
import { createShell, SIGN_OUT_EVERYONE_PATH, SIGN_OUT_PATH } from "./shell.ts";
import { createOutside, SIGN_IN_PATH } from "./sign-in.ts";

export interface AdminParts {
	settings: Settings & { admin: AdminSettings };
	/** The operator's secret. */
	secret: string;
	database: SharedDatabase;
	files: AdminFiles;
	log: Log;
	now?: () => Date;
	routes?: readonly Route[];
}

/** The admin pages: a responder for a listener of its own. */
export interface Admin extends Required<Pick<Responder, "fetch" | "isEncrypted" | "routeOf">> {
	/** Resolves once all work under way has ended, also of browsers that are gone. */
	close(): Promise<void>;
}

/** Every address that needs a session. Add a page here. */
export const adminRoutes: readonly Route[] = [
	...todayRoutes,
	...peopleRoutes,
	...importRoutes,
	...personRoutes,
	...waveRoutes,
	...newWaveRoutes,
	...emailRoutes,
	...activityRoutes,
];

const SIGN_OUT_PATHS = [SIGN_OUT_PATH, SIGN_OUT_EVERYONE_PATH];

type AdminContext = Context<{ Bindings: Arrival }>;

/** Without a session, only the sign-in form and the style sheet are served. */
export function createAdmin({
	settings,
	secret,
	database,
	files,
	log,
	now = () => new Date(),
	routes = adminRoutes,
}: AdminParts): Admin {
	const origins = adminOrigins(settings.admin);
	const isSecure = origins[0].startsWith("https:");
	const guard = createGuard(origins);
	const cookie = sessionCookie(secret, isSecure);
	const shell = createShell(files);
	const outside = createOutside({ shell, origin: origins[0], log });
	const places = placesOf(settings, settings.database);
	const underWay = new Set<Promise<unknown>>();
	/** First segments of paths: the rest may be a link's token or an address. */
	const logged = new Set(
		[...routes.map(({ path }) => path), ...SIGN_OUT_PATHS, SIGN_IN_PATH].map(
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
		return !link || link.isOver ? outside.usedUp(idOf(c), !link) : outside.welcome();
	});

	app.post(`${SIGN_IN_PATH}:token{.+}`, async (c) => {
		const at = now();
		const link = await findLink(database, secret, c.req.param("token"), at);
		const token = !link || link.isOver ? undefined : await signIn(database, secret, link, at);
		if (token === undefined) return outside.usedUp(idOf(c), !link);
		log("info", "admin signed in", { id: idOf(c) });
		return seeOther("/", { "set-cookie": cookie.set(token) });
	});

	const sessionOf = (c: AdminContext, at: Date) =>
		findSession(database, secret, cookie.read(c), at);

	const withSession =
		(inside: (c: AdminContext, session: Session, at: Date) => Promise<Response>) =>
		async (c: AdminContext): Promise<Response> => {
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
				log("info", "admin signed out", { id: idOf(c) });
				return seeOther("/", { "set-cookie": cookie.remove() });
			}),
		);
	}

	for (const { method, path, mostBytes, respond: respondTo } of routes) {
		app.on(
			method,
			path,
			withSession(async (c, session, at) => {
				const isPost = method === "POST";
				const form = isPost
					? await readForm(callOf(c.req.raw, c.env), mostBytes)
					: new URLSearchParams();
				if (!form) return outside.badRequest(idOf(c));
				// A body may take 15 s, and the session may have ended meanwhile.
				if (isPost && !(await sessionOf(c, now()))) return outside.signedOut();
				const search = new URL(c.req.url).searchParams;
				// PostgreSQL stores no such character, and no page of ours sends one.
				if ([...search.values(), ...form.values()].some((text) => text.includes("\0"))) {
					return outside.badRequest(idOf(c));
				}
				const responding = Promise.resolve(
					respondTo({
						...{ session, database, settings, places, search, form, now: at },
						params: c.req.param() as Record<string, string>,
						progress: { show: () => {}, end: () => {} },
						note: (action, details = "") => [
							noteInAudit({ session: session.id, action, details }, at),
						],
					}),
				);
				underWay.add(responding);
				try {
					return respond(await responding, { shell, path: c.req.path, session }, (error) =>
						log("error", "request failed", { id: idOf(c), error }),
					);
				} finally {
					underWay.delete(responding);
				}
			}),
		);
	}

	const notFound = {
		title: "Page not found",
		main: html`<p>There is no such page.</p>`,
		status: 404,
	};
	app.all(
		"*",
		withSession(async (c, session) => respond(notFound, { shell, path: c.req.path, session })),
	);

	app.onError((error, c) => outside.failed(idOf(c), error));

	return {
		fetch: app.fetch,
		isEncrypted: () => isSecure,
		routeOf(url) {
			const [, first = ""] = url.split(/[/?]/, 2);
			return `admin /${logged.has(first) ? first : "*"}`;
		},
		async close() {
			await Promise.allSettled(underWay);
		},
	};
}

const idOf = (c: AdminContext) => c.env?.requestId;

/** Reads the fields of a form; returns undefined for a body that no form of ours sends. */
async function readForm(call: Call, mostBytes?: number): Promise<URLSearchParams | undefined> {
	if (call.header("content-encoding") !== null) return undefined;
	const body = await call.readBody(mostBytes);
	if ("refused" in body) return undefined;
	// A form without fields has no body, and need not name its type.
	if (body.text === "") return new URLSearchParams();
	const type = mediaType(call);
	if (type === "application/x-www-form-urlencoded") return new URLSearchParams(body.text);
	return type === "multipart/form-data" ? readUpload(call, body.text) : undefined;
}

/** Reads a form with a file: the file's text is a field, and its name becomes the field `name`. */
async function readUpload(call: Call, body: string): Promise<URLSearchParams | undefined> {
	const headers = { "content-type": call.header("content-type")! };
	const parsed = await new Response(body, { headers }).formData().catch(() => undefined);
	if (!parsed) return undefined;
	const form = new URLSearchParams();
	for (const [name, value] of parsed) {
		form.append(name, typeof value === "string" ? value : await value.text());
		if (typeof value !== "string") form.append("name", value.name);
	}
	return form;
}
