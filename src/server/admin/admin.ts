import { type Context, Hono } from "hono";
import type { SharedDatabase } from "../database/database.ts";
import { type Call, createCall, type PeerAndRequestId } from "../http/call.ts";
import type { Responder } from "../http/listen.ts";
import { fileResponse } from "../http/static-files.ts";
import type { Log } from "../log.ts";
import { auditStatement } from "../registrations/audit.ts";
import { locateSecrets } from "../secret.ts";
import type { AdminSettings } from "../settings/values.ts";
import type { Settings } from "../settings.ts";
import { html } from "../text/html.ts";
import { adminOrigins, createGuard } from "./guard.ts";
import { activityRoute } from "./pages/activity.ts";
import { emailRoutes } from "./pages/emails.ts";
import { importRoutes } from "./pages/import.ts";
import { newWaveRoutes } from "./pages/new-wave.ts";
import { peopleRoutes } from "./pages/people.ts";
import { personRoutes } from "./pages/person.ts";
import { todayRoute } from "./pages/today.ts";
import { waveRoutes } from "./pages/waves.ts";
import { type PageResponse, type Route, seeOther, toResponse } from "./responses.ts";
import { createSessions, type Session, SIGN_IN_PATH, sessionCookie } from "./sessions.ts";
import { type AdminFiles, createShell, SIGN_OUT_EVERYONE_PATH, SIGN_OUT_PATH } from "./shell.ts";

export interface AdminParts {
	settings: Settings & { admin: AdminSettings };
	secret: string;
	database: SharedDatabase;
	files: AdminFiles;
	log: Log;
	now?: () => Date;
	routes?: readonly Route[];
}

/** Routes that need a session. Add new pages here. */
export const adminRoutes: readonly Route[] = [
	...[todayRoute, ...peopleRoutes, ...importRoutes, ...personRoutes],
	...[...waveRoutes, ...newWaveRoutes, ...emailRoutes, activityRoute],
];

type AdminContext = Context<{ Bindings: PeerAndRequestId }>;

/** Without a session, serves only the sign-in page and its files. */
export function createAdmin({
	settings,
	secret,
	database,
	files,
	log,
	now = () => new Date(),
	routes = adminRoutes,
}: AdminParts): Required<Pick<Responder, "fetch" | "isEncrypted" | "routeOf">> {
	const origins = adminOrigins(settings.admin);
	const isSecure = origins[0].startsWith("https:");
	const isAllowed = createGuard(origins);
	const sessions = createSessions(database, secret);
	const cookie = sessionCookie(secret, isSecure);
	const shell = createShell(files, origins[0], settings.timeZone, log);
	const places = locateSecrets(settings, settings.database);
	const app = new Hono<{ Bindings: PeerAndRequestId }>();

	app.use(async (c, next) => {
		if (!isAllowed(createCall(c.req.raw, c.env), c.req.method)) return shell.forbidden();
		const file = c.req.method === "POST" ? undefined : files.get(c.req.path);
		return file ? fileResponse(file, c.req.raw) : next();
	});

	app.get(`${SIGN_IN_PATH}:token{.+}`, async (c) => {
		const link = await sessions.find("link", c.req.param("token"), now());
		return link ? shell.welcome() : shell.expired();
	});

	app.post(`${SIGN_IN_PATH}:token{.+}`, async (c) => {
		const link = await sessions.find("link", c.req.param("token"), now());
		const token = link && (await sessions.signIn(link, now()));
		if (token === undefined) return shell.expired();
		return seeOther("/", { "set-cookie": cookie.set(token) });
	});

	const withSession =
		(inside: (c: AdminContext, session: Session) => Promise<Response>) =>
		async (c: AdminContext): Promise<Response> => {
			const session = await sessions.find("session", cookie.read(c), now());
			return session ? inside(c, session) : shell.signedOut();
		};

	const addSignOut = (path: string, end: (session: Session) => Promise<unknown>) =>
		app.post(
			path,
			withSession(async (_, session) => {
				await end(session);
				return seeOther("/", { "set-cookie": cookie.remove() });
			}),
		);
	addSignOut(SIGN_OUT_PATH, (session) => sessions.signOut(session, now()));
	addSignOut(SIGN_OUT_EVERYONE_PATH, ({ id }) => sessions.signOutEveryone(id, now()));

	const answer = (c: AdminContext, session: Session, response: PageResponse) =>
		toResponse(
			response,
			(page) => shell.page(page, c.req.path, session, now()),
			(error) => log("error", "request failed", { id: idOf(c), error }),
		);

	for (const { method, path, mostBytes, respond } of routes) {
		app.on(
			method,
			path,
			withSession(async (c, session) => {
				const form =
					method === "POST"
						? await readForm(createCall(c.req.raw, c.env), mostBytes)
						: new URLSearchParams();
				const search = new URL(c.req.url).searchParams;
				// PostgreSQL rejects NUL characters, which our pages never send.
				if (!form || [...search.values(), ...form.values()].some((text) => text.includes("\0"))) {
					return shell.badRequest();
				}
				// The session may have ended while the body was read, which may take 15 s.
				if (method === "POST" && !(await sessions.find("session", cookie.read(c), now()))) {
					return shell.signedOut();
				}
				const at = now();
				const request = {
					database,
					settings,
					places,
					search,
					form,
					now: at,
					params: c.req.param() as Record<string, string>,
					note: (action: string, details = "") => [
						auditStatement({ session: session.id, action, details }, at),
					],
				};
				return answer(c, session, await respond(request));
			}),
		);
	}

	const main = html`<p>Page not found.</p>`;
	app.all(
		"*",
		withSession(async (c, session) =>
			answer(c, session, { title: "Page not found", main, status: 404 }),
		),
	);

	app.onError((error, c) => shell.failed(idOf(c), error));

	return {
		fetch: app.fetch,
		isEncrypted: () => isSecure,
		// Hides the path from the log: it may contain an address or a sign-in token.
		routeOf: () => "admin",
	};
}

const idOf = (c: AdminContext) => c.env?.requestId;

/** Reads form fields. An uploaded file's value is its text; the field `name` then has its file name. */
async function readForm(call: Call, mostBytes?: number): Promise<URLSearchParams | undefined> {
	const form = new URLSearchParams();
	const body = await call.readBody(mostBytes);
	if ("refused" in body || call.header("content-encoding") !== null) return undefined;
	// Browsers send a form without fields as an empty body, perhaps without a content type.
	if (body.text === "") return form;
	const headers = { "content-type": call.header("content-type") ?? "" };
	const fields = await new Response(body.text, { headers }).formData().catch(() => []);
	for (const [name, value] of fields) {
		form.append(name, typeof value === "string" ? value : await value.text());
		if (typeof value !== "string") form.append("name", value.name);
	}
	return form.size > 0 ? form : undefined;
}
