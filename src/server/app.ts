import { Hono } from "hono";
import { JOIN_PATH } from "#shared/join.ts";
import { type Arrival, callOf } from "./http/call.ts";
import { failure, jsonReply, nosniff, notAllowed, refusal, responseOf } from "./http/responses.ts";
import type { StaticFiles } from "./http/static-files.ts";
import type { Join } from "./join/join.ts";
import { isVisit } from "./join/visit.ts";
import type { Log } from "./log.ts";

type Routes = Hono<{ Bindings: Arrival }> | undefined;

export interface AppSettings {
	join: Join;
	/** Absent where another server shows the pages, as Vite does in development. */
	staticFiles: StaticFiles | undefined;
	onVisit: (() => void) | undefined;
	pageHeaders: Readonly<Record<string, string>>;
	routes: readonly Routes[];
	isReady: () => Promise<boolean>;
	log: Log;
}

/** The server as a function from Request to Response: `createApp(…).fetch(request, arrival)`. */
export function createApp({
	join,
	staticFiles,
	onVisit,
	pageHeaders,
	routes,
	isReady,
	log,
}: AppSettings): Hono<{ Bindings: Arrival }> {
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
	for (const some of routes) if (some) app.route("/", some);
	app.all("/api/*", () => responseOf(refusal(404, "There is nothing at this address.")));
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

/** Whether a browser opens the outcome of a form again, or a typed path. */
function wantsPage({ headers }: Request): boolean {
	return headers.get("accept")?.includes("text/html") ?? false;
}

function seeForm(pageHeaders: AppSettings["pageHeaders"]): Response {
	const headers = { ...pageHeaders, location: "/", "cache-control": "no-store", ...nosniff };
	return new Response(null, { status: 303, headers });
}
