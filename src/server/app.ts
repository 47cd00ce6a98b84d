import { Hono } from "hono";
import { FAILED_MESSAGE, REGISTER_PATH } from "#shared/waitlist.ts";
import { jsonResponse, refusal } from "./answers.ts";
import type { OutcomePages } from "./outcome-pages.ts";
import { register } from "./register.ts";
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
	report: Report;
}

/** The whole server as a function from Request to Response: `createApp(…).fetch(request)`. */
export function createApp(settings: AppSettings): Hono {
	const { staticFiles, report } = settings;
	const app = new Hono();
	const answerRegistration = register(settings);

	app.post(REGISTER_PATH, (c) => answerRegistration(c.req.raw));
	app.all(REGISTER_PATH, () => notAllowed("POST"));
	app.get("/healthz", () => jsonResponse(200, { status: "ok" }));
	app.all("/healthz", () => notAllowed("GET, HEAD"));
	app.all("/api/*", () => refusal(404, "There is nothing at this address."));
	if (staticFiles) app.all("*", (c) => staticFiles.answer(c.req.raw));

	app.onError((error) => {
		report("error", "request failed", { error });
		return refusal(500, FAILED_MESSAGE);
	});
	return app;
}

function notAllowed(allow: string): Response {
	return refusal(405, `Only ${allow.replace(", ", " and ")} can be used here.`, { allow });
}
