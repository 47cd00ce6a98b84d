import type { Log } from "../log.ts";
import { withoutAddresses } from "../registrations/audit.ts";
import { type Html, html } from "../text/html.ts";
import { messageOf } from "../text/message-of.ts";
import type { Fault } from "./guard.ts";
import { pageHeaders } from "./responses.ts";
import { LINK_MINUTES, SESSION_HOURS } from "./sessions.ts";
import type { Shell } from "./shell.ts";

/** The path of a sign-in link, before its token. */
export const SIGN_IN_PATH = "/sign-in/";

const HOW = html`<p>This command prints a sign-in link. It works once, within ${String(LINK_MINUTES)} minutes.</p>
<p class="code">waitlist admin</p>`;

/** Creates the responses to somebody who is not signed in, or is refused. */
export function createOutside({ shell, origin, log }: { shell: Shell; origin: string; log: Log }) {
	const page = (status: number, title: string, words: Html, more: Record<string, string> = {}) =>
		new Response(shell.outside(title, words), { status, headers: { ...pageHeaders(), ...more } });

	const logRefusal = (id: string | undefined, reason: Fault | "link" | "form") =>
		log("info", "admin refused", { id, reason });

	return {
		/** A used link, an old one and a forged one get the same response. */
		expired(id: string | undefined): Response {
			logRefusal(id, "link");
			return page(403, "This link has expired", HOW);
		},
		signedOut: () => page(403, "Sign in", HOW),
		/** The form of a valid link. Opening the link changes nothing, because link previews do that. */
		welcome: () =>
			page(
				200,
				"Welcome back",
				html`<p>This browser stays signed in for ${String(SESSION_HOURS)} hours.</p>
<form class="decision" method="post"><button class="return act" type="submit">Sign in</button></form>`,
			),
		refuse(id: string | undefined, fault: Fault): Response {
			logRefusal(id, fault);
			if (fault === "method") {
				const more = { allow: "GET, HEAD, POST" };
				return page(405, "Method not allowed", html`<p>Use GET, HEAD or POST.</p>`, more);
			}
			const words = html`<p>The admin pages answer requests from their own pages only, at ${origin}.</p>`;
			return page(403, "Forbidden", words);
		},
		badRequest(id: string | undefined): Response {
			logRefusal(id, "form");
			const words = html`<p>This form cannot be read. A file must be text in UTF-8, at most 1 MB.</p>`;
			return page(400, "Bad request", words);
		},
		failed(id: string | undefined, error: unknown): Response {
			// A database may name the value that it refused.
			const message = withoutAddresses(messageOf(error));
			log("error", "request failed", { id, error: new Error(message) });
			const words = html`<p>Something went wrong. The server’s log says what. Your change may have been saved: check before you try again.</p>
<p><a class="act" href="/">Today</a></p>`;
			return page(500, "That did not work", words);
		},
	};
}
