import { Hono } from "hono";
import { JOIN_PATH } from "#shared/join.ts";
import { failure, jsonAnswer, refusal, responseOf } from "./http/responses.ts";
import type { StaticFiles } from "./http/static-files.ts";
import { type Arrival, attemptIn } from "./join/attempt.ts";
import type { Register } from "./join/join.ts";
import type { Report } from "./log.ts";

/** What the app is made of. */
export interface AppSettings {
	register: Register;
	/** Absent where somebody else shows the pages, as Vite does in development. */
	staticFiles?: StaticFiles;
	/** Whether a load balancer should send visitors here. */
	isReady: () => Promise<boolean>;
	report: Report;
}

/** The whole server as a function from Request to Response: `createApp(…).fetch(request, arrival)`. */
export function createApp(settings: AppSettings): Hono<{ Bindings: Arrival }> {
	const { register, staticFiles, isReady, report } = settings;
	const app = new Hono<{ Bindings: Arrival }>();

	app.post(JOIN_PATH, async (c) => responseOf(await register(attemptIn(c.req.raw, c.env))));
	app.get(JOIN_PATH, (c) => (isReading(c.req.raw) ? seeForm() : notAllowed("POST")));
	app.all(JOIN_PATH, () => notAllowed("POST"));
	app.get("/healthz", () => responseOf(jsonAnswer(200, { status: "ok" })));
	app.all("/healthz", () => notAllowed("GET, HEAD"));
	app.get("/readyz", async () =>
		responseOf(
			(await isReady())
				? jsonAnswer(200, { status: "ready" })
				: refusal(503, "This server takes no visitors right now."),
		),
	);
	app.all("/readyz", () => notAllowed("GET, HEAD"));
	app.all("/api/*", () => responseOf(refusal(404, "There is nothing at this address.")));
	if (staticFiles) app.all("*", (c) => staticFiles.answer(c.req.raw));

	app.onError((error, c) => responseOf(failure(report, c.env?.requestId, error)));
	return app;
}

/** Whether a person looks in: her browser opens the answer to a form again, or she typed the path. */
function isReading({ headers }: Request): boolean {
	return headers.get("accept")?.includes("text/html") ?? false;
}

function seeForm(): Response {
	const headers = { location: "/", "cache-control": "no-store" };
	return new Response(null, { status: 303, headers });
}

function notAllowed(allow: string): Response {
	const error = `Only ${allow.replace(", ", " and ")} can be used here.`;
	return responseOf(refusal(405, error, { allow }));
}
