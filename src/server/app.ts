import { Hono } from "hono";
import { JOIN_PATH } from "#shared/join.ts";
import { type Arrival, callOf } from "./http/call.ts";
import { failure, jsonReply, nosniff, notAllowed, refusal, responseOf } from "./http/responses.ts";
import type { StaticFiles } from "./http/static-files.ts";
import type { Join } from "./join/join.ts";
import { isVisit } from "./join/visit.ts";
import type { Log } from "./log.ts";

/** What the app is made of. */
export interface AppSettings {
	join: Join;
	/** Absent where another server shows the pages, as Vite does in development. */
	staticFiles: StaticFiles | undefined;
	/** Told when somebody opens the landing page. */
	onVisit: (() => void) | undefined;
	/** Headers of every page, and so of what leads to one. */
	pageHeaders: Readonly<Record<string, string>>;
	/** What the links in emails lead to. Absent where no emails are sent. */
	letterRoutes: Hono<{ Bindings: Arrival }> | undefined;
	/** Where providers of mail report. Absent where none may. */
	feedbackRoutes: Hono<{ Bindings: Arrival }> | undefined;
	/** What invitations lead to. Absent where there can be none. */
	invitationRoutes: Hono<{ Bindings: Arrival }> | undefined;
	/** Whether a load balancer should send visitors here. */
	isReady: () => Promise<boolean>;
	log: Log;
}

/** The whole server as a function from Request to Response: `createApp(…).fetch(request, arrival)`. */
export function createApp(settings: AppSettings): Hono<{ Bindings: Arrival }> {
	const { join, staticFiles, onVisit, pageHeaders, isReady, log } = settings;
	const { letterRoutes, feedbackRoutes, invitationRoutes } = settings;
	const app = new Hono<{ Bindings: Arrival }>();

	app.post(JOIN_PATH, async (c) => responseOf(await join(callOf(c.req.raw, c.env))));
	app.get(JOIN_PATH, (c) => (wantsPage(c.req.raw) ? seeForm(pageHeaders) : notAllowed("POST")));
	app.all(JOIN_PATH, () => notAllowed("POST"));
	app.get("/healthz", () => responseOf(jsonReply(200, { status: "ok" })));
	app.all("/healthz", () => notAllowed("GET, HEAD"));
	app.get("/readyz", async () =>
		responseOf(
			(await isReady())
				? jsonReply(200, { status: "ready" })
				: refusal(503, "This server takes no visitors right now."),
		),
	);
	app.all("/readyz", () => notAllowed("GET, HEAD"));
	if (invitationRoutes) app.route("/", invitationRoutes);
	if (feedbackRoutes) app.route("/", feedbackRoutes);
	app.all("/api/*", () => responseOf(refusal(404, "There is nothing at this address.")));
	if (letterRoutes) app.route("/", letterRoutes);
	if (staticFiles) {
		app.get("/", (c) => {
			if (isVisit(c.req.raw)) onVisit?.();
			return staticFiles.respond(c.req.raw);
		});
		app.all("*", (c) => staticFiles.respond(c.req.raw));
	}

	app.onError((error, c) => responseOf(failure(log, c.env?.requestId, error)));
	return app;
}

/** Whether a browser wants a page: it opens the outcome of a form again, or the path was typed. */
function wantsPage({ headers }: Request): boolean {
	return headers.get("accept")?.includes("text/html") ?? false;
}

function seeForm(pageHeaders: AppSettings["pageHeaders"]): Response {
	const headers = { ...pageHeaders, location: "/", "cache-control": "no-store", ...nosniff };
	return new Response(null, { status: 303, headers });
}
