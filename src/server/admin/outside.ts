import { type Html, html } from "../html.ts";
import { createMeter } from "../http/meter.ts";
import type { Log } from "../log.ts";
import type { Fault } from "./guard.ts";
import { pageHeaders } from "./headers.ts";
import { LINK_MINUTES, SESSION_HOURS } from "./sessions.ts";
import type { Shell } from "./shell.ts";
import { countForged } from "./sign-in.ts";

/** Each reason to refuse is logged at most once in this time. */
const REFUSED_LOG_MS = 600_000;

/** As the manual writes it. */
const COMMAND = html`<p class="code">waitlist office</p>`;

/** The responses to somebody who is not signed in, or is refused. */
export type Outside = ReturnType<typeof createOutside>;

/** @param origin of the office, as people read it */
export function createOutside({ shell, origin, log }: { shell: Shell; origin: string; log: Log }) {
	const waitAfterForged = countForged();
	const logged = createMeter({ count: 1, periodMs: REFUSED_LOG_MS });

	function page(
		status: number,
		title: string,
		words: Html,
		more: Record<string, string> = {},
	): Response {
		const headers = { ...pageHeaders(), ...more };
		return new Response(shell.outside(title, words), { status, headers });
	}

	/** Says to the operator that somebody knocks who may not, and not how often. */
	function logRefusal(id: string | undefined, reason: Fault | "link" | "form"): void {
		const nowMs = performance.now();
		if (logged.waitMs(reason, nowMs) > 0) return;
		logged.count(reason, nowMs);
		log("error", "office refused", { id, reason });
	}

	/** What forged links get as well: who tries them learns nothing. */
	const usedUp = () =>
		page(
			403,
			"This link is used up",
			html`<p>It worked once, or its ${String(LINK_MINUTES)} minutes are over. This command prints another one.</p>
${COMMAND}`,
		);

	return {
		usedUp,
		signedOut: () =>
			page(
				403,
				"Sign in",
				html`<p>This command prints a link that opens the office. It works once, within ${String(LINK_MINUTES)} minutes.</p>
${COMMAND}`,
			),
		/** The form of a link that is good. */
		welcome: () =>
			page(
				200,
				"Good to see you",
				html`<p>This browser stays signed in for ${String(SESSION_HOURS)} hours.</p>
<form class="decision" method="post"><button class="return act" type="submit">Open the office</button></form>`,
			),
		forgedLink(id: string | undefined): Response {
			const waitSeconds = waitAfterForged();
			logRefusal(id, "link");
			if (waitSeconds === 0) return usedUp();
			const words = html`<p>Too many links were tried that the office did not make.</p>`;
			return page(429, "Too many tries", words, { "retry-after": `${waitSeconds}` });
		},
		refuse(id: string | undefined, fault: Fault): Response {
			logRefusal(id, fault);
			if (fault === "method") {
				const more = { allow: "GET, HEAD, POST" };
				return page(405, "Not here", html`<p>Only GET, HEAD and POST can be used here.</p>`, more);
			}
			const words = html`<p>The office takes requests from its own pages alone, at ${origin}.</p>`;
			return page(403, "Not from here", words);
		},
		unreadable(id: string | undefined): Response {
			logRefusal(id, "form");
			return page(400, "This cannot be read", html`<p>No form of the office sends this.</p>`);
		},
		failed(id: string | undefined, error: unknown): Response {
			log("error", "request failed", { id, error });
			const words = html`<p>The database did not answer, or the office has a fault. The log says which. What you asked for may be done: look before you ask again.</p>
<p><a class="act" href="/">The first screen</a></p>`;
			return page(500, "That did not work", words);
		},
	};
}
