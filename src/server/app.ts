import { Hono } from "hono";
import { JOIN_PATH } from "#shared/join.ts";
import { words } from "#words";
import { createCall, type PeerAndRequestId } from "./http/call.ts";
import { errorReply, jsonReply, methodNotAllowed } from "./http/responses.ts";
import type { StaticFiles } from "./http/static-files.ts";
import type { JoinHandler } from "./join/join.ts";
import type { Log } from "./log.ts";

type App = Hono<{ Bindings: PeerAndRequestId }>;

export interface AppSettings {
	join: JoinHandler;
	/** Undefined in development, where Vite serves the pages. */
	staticFiles: StaticFiles | undefined;
	onVisit: (() => void) | undefined;
	routes: readonly (App | undefined)[];
	isReady: () => Promise<boolean>;
	log: Log;
}

export function createApp({ join, staticFiles, onVisit, routes, isReady, log }: AppSettings): App {
	const app: App = new Hono();

	app.post(JOIN_PATH, (c) => join(createCall(c.req.raw, c.env)));
	app.all(JOIN_PATH, () => methodNotAllowed("POST"));
	app.get("/healthz", () => jsonReply(200, { status: "ok" }));
	app.all("/healthz", () => methodNotAllowed("GET, HEAD"));
	app.get("/readyz", async () => {
		if (await isReady()) return jsonReply(200, { status: "ready" });
		return errorReply(503, "This server is not ready.");
	});
	app.all("/readyz", () => methodNotAllowed("GET, HEAD"));
	for (const some of routes) if (some) app.route("/", some);
	app.all("/api/*", () => errorReply(404, "Not found."));
	if (staticFiles) {
		app.all("*", (c) => {
			if (c.req.path === "/" && isVisit(c.req.raw)) onVisit?.();
			return staticFiles.respond(c.req.raw);
		});
	}

	app.onError((error, c) => {
		log("error", "request failed", { id: c.env?.requestId, error });
		return errorReply(500, words.messages.failed);
	});
	return app;
}

/** Bots' user agents contain their name, a URL, or `compatible;`. */
const PROGRAM = /bot|crawl|spider|preview|headless|lighthouse|monitor|compatible;|https?:/i;

export function isVisit({ method, headers }: Request): boolean {
	const agent = headers.get("user-agent") ?? "";
	return (
		method === "GET" &&
		headers.get("accept")?.includes("text/html") === true &&
		// Browsers before 2023, and all browsers over plain HTTP, omit this header.
		(headers.get("sec-fetch-dest") ?? "document") === "document" &&
		// Only prefetches send this header.
		!headers.has("sec-purpose") &&
		agent.startsWith("Mozilla/5.0 (") &&
		!PROGRAM.test(agent)
	);
}
