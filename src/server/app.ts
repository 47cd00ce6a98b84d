import { Hono } from "hono";
import { FAILED_MESSAGE, REGISTER_PATH } from "#shared/waitlist.ts";
import { jsonResponse, refusal } from "./answers.ts";
import type { OutcomePages } from "./outcome-pages.ts";
import { type Admit, register } from "./register.ts";
import type { Report } from "./report.ts";
import type { StaticFiles } from "./static-files.ts";
import type { Waitlist } from "./waitlist/waitlist.ts";

/** What the app is made of. */
export interface AppSettings {
	waitlist: Waitlist;
	/** Absent where somebody else shows the pages, as Vite does in development. */
	staticFiles?: StaticFiles;
	outcomePages: OutcomePages;
	/** The wall clock, for the time of a registration. */
	now: () => Date;
	/** The limits on how often somebody may try to join. */
	admit: Admit;
	/** Whether a load balancer should send visitors here. */
	isReady: () => Promise<boolean>;
	report: Report;
}

/** What is known of a request beside itself. */
export interface Arrival {
	/** IP address at the other end of the connection. */
	peer?: string | undefined;
	/** What ties the request to its line in the log. */
	requestId?: string;
}

/** The whole server as a function from Request to Response: `createApp(…).fetch(request, arrival)`. */
export function createApp(settings: AppSettings): Hono<{ Bindings: Arrival }> {
	const { staticFiles, isReady, report } = settings;
	const app = new Hono<{ Bindings: Arrival }>();
	const answerRegistration = register(settings);

	app.post(REGISTER_PATH, (c) => answerRegistration(c.req.raw, c.env?.peer));
	app.get(REGISTER_PATH, (c) => (isReading(c.req.raw) ? seeForm() : notAllowed("POST")));
	app.all(REGISTER_PATH, () => notAllowed("POST"));
	app.get("/healthz", () => jsonResponse(200, { status: "ok" }));
	app.all("/healthz", () => notAllowed("GET, HEAD"));
	app.get("/readyz", async () =>
		(await isReady())
			? jsonResponse(200, { status: "ready" })
			: refusal(503, "This server takes no visitors right now."),
	);
	app.all("/readyz", () => notAllowed("GET, HEAD"));
	app.all("/api/*", () => refusal(404, "There is nothing at this address."));
	if (staticFiles) app.all("*", (c) => staticFiles.answer(c.req.raw));

	app.onError((error, c) => {
		report("error", "request failed", { id: c.env?.requestId, error });
		return refusal(500, FAILED_MESSAGE);
	});
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
	return refusal(405, `Only ${allow.replace(", ", " and ")} can be used here.`, { allow });
}
