import { Hono } from "hono";
import { FAILED_MESSAGE, JOIN_PATH } from "#shared/join.ts";
import { type Arrival, callOf } from "./http/call.ts";
import { jsonReply, notAllowed, refusal, responseOf } from "./http/responses.ts";
import type { StaticFiles } from "./http/static-files.ts";
import type { Join } from "./join/join.ts";
import { isVisit } from "./join/visit.ts";
import type { Log } from "./log.ts";

type App = Hono<{ Bindings: Arrival }>;

export interface AppSettings {
	join: Join;
	/** Undefined if another server shows the pages, as Vite does in development. */
	staticFiles: StaticFiles | undefined;
	onVisit: (() => void) | undefined;
	routes: readonly (App | undefined)[];
	isReady: () => Promise<boolean>;
	log: Log;
}

/** The server as a function from Request to Response: `createApp(…).fetch(request, arrival)`. */
export function createApp({ join, staticFiles, onVisit, routes, isReady, log }: AppSettings): App {
	const app: App = new Hono();

	app.post(JOIN_PATH, async (c) => responseOf(await join(callOf(c.req.raw, c.env))));
	app.all(JOIN_PATH, () => notAllowed("POST"));
	app.get("/healthz", () => responseOf(jsonReply(200, { status: "ok" })));
	app.all("/healthz", () => notAllowed("GET, HEAD"));
	app.get("/readyz", async () => {
		if (await isReady()) return responseOf(jsonReply(200, { status: "ready" }));
		return responseOf(refusal(503, "This server takes no visitors right now."));
	});
	app.all("/readyz", () => notAllowed("GET, HEAD"));
	for (const some of routes) if (some) app.route("/", some);
	app.all("/api/*", () => responseOf(refusal(404, "There is nothing at this address.")));
	if (staticFiles) {
		app.all("*", (c) => {
			if (c.req.path === "/" && isVisit(c.req.raw)) onVisit?.();
			return staticFiles.respond(c.req.raw);
		});
	}

	app.onError((error, c) => {
		log("error", "request failed", { id: c.env?.requestId, error });
		return responseOf(refusal(500, FAILED_MESSAGE));
	});
	return app;
}
