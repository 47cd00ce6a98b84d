import { brand } from "#brand";
import { reasonOf } from "../files/files.ts";
import type { Log } from "../log.ts";
import { withoutAddresses } from "../registrations/audit.ts";
import { type Html, html } from "../text/html.ts";
import type { AdminFiles } from "./files.ts";
import type { Fault } from "./guard.ts";
import { PERSON_PATH, timeAsHtml } from "./parts.ts";
import { type Page, pageHeaders } from "./responses.ts";
import { LINK_MINUTES, SESSION_HOURS, type Session } from "./sessions.ts";

/** Navigation entries; `also` is a path that belongs to the entry. */
const NAVIGATION: readonly { path: string; name: string; also?: string }[] = [
	{ path: "/", name: "Today" },
	{ path: "/people", name: "People", also: PERSON_PATH },
	{ path: "/waves", name: "Waves" },
	{ path: "/emails", name: "Emails" },
	{ path: "/activity", name: "Activity" },
];

export const SIGN_OUT_PATH = "/sign-out";
export const SIGN_OUT_EVERYONE_PATH = "/sign-out-everyone";

const HOW = html`<p>This command prints a sign-in link. It works once, within ${String(LINK_MINUTES)} minutes.</p>
<p class="code">waitlist admin</p>`;

/** Renders the document around each page, and responses for signed-out or refused requests. */
export function createShell(files: AdminFiles, origin: string, log: Log) {
	const document = (title: string, body: Html) =>
		html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover">
<title>${title} · ${brand.product} admin</title>
<meta name="robots" content="noindex">
<meta name="color-scheme" content="light dark">
<link rel="icon" href="/mark.svg" type="image/svg+xml">
${files.fonts.map((url) => html`<link rel="preload" href="${url}" as="font" type="font/woff2" crossorigin>\n`)}<link rel="stylesheet" href="${files.styles}">
</head>
<body>${body}</body>
</html>
`.markup;

	const mark = html`<img class="mark" src="/mark.svg" width="24" height="24" alt="">`;

	const outside = (status: number, title: string, words: Html, more: Record<string, string> = {}) =>
		new Response(
			document(
				title,
				html`<div class="stage" aria-hidden="true"><div class="morning"></div><div class="night"></div><div class="sphere"></div></div>
<div class="page link-page outside">
<header class="masthead"><span class="brand">${mark}${brand.product}<span class="where">Admin</span></span></header>
<main class="center"><div class="said">
<h1>${title}</h1>
${words}
</div></main>
</div>`,
			),
			{ status, headers: { ...pageHeaders(), ...more } },
		);

	const logRefusal = (id: string | undefined, reason: Fault | "link" | "form") =>
		log("info", "admin refused", { id, reason });

	return {
		page({ title, main }: Page, path: string, { id, until }: Session): string {
			const entries = NAVIGATION.map((entry) => {
				const isHere = [entry.path, entry.also].some(
					(own) => own === path || path.startsWith(`${own}/`),
				);
				const here = isHere ? html` aria-current="page"` : html``;
				return html`<li><a href="${entry.path}"${here}>${entry.name}</a></li>`;
			});
			return document(
				title,
				html`<div class="page admin">
<div class="light" aria-hidden="true"><div class="morning"></div><div class="night"></div></div>
<a class="skip" href="#main">Skip to content</a>
<header class="masthead">
<a class="brand" href="/">${mark}${brand.product}<span class="where">Admin</span></a>
<nav class="rooms" aria-label="Admin"><ul>${entries}</ul></nav>
<form class="leave" method="post" action="${SIGN_OUT_PATH}"><button class="act" type="submit">Sign out</button></form>
</header>
<main id="main" class="desk">
<h1>${title}</h1>
${main}
</main>
<footer class="foot"><p>Session <span class="name">${id}</span>, until ${timeAsHtml(until)}</p>
<form method="post" action="${SIGN_OUT_EVERYONE_PATH}"><button class="act" type="submit">Sign out everyone</button></form></footer>
</div>`,
			);
		},
		/** Used, expired and forged links get the same response. */
		expired(id: string | undefined): Response {
			logRefusal(id, "link");
			return outside(403, "This link has expired", HOW);
		},
		signedOut: () => outside(403, "Sign in", HOW),
		/** Form of a valid link. Opening it changes nothing, because link previews also open links. */
		welcome: () =>
			outside(
				200,
				"Welcome back",
				html`<p>This browser stays signed in for ${String(SESSION_HOURS)} hours.</p>
<form class="decision" method="post"><button class="return act" type="submit">Sign in</button></form>`,
			),
		refuse(id: string | undefined, fault: Fault): Response {
			logRefusal(id, fault);
			if (fault === "method") {
				const more = { allow: "GET, HEAD, POST" };
				return outside(405, "Method not allowed", html`<p>Use GET, HEAD or POST.</p>`, more);
			}
			const words = html`<p>The admin pages answer requests from their own pages only, at ${origin}.</p>`;
			return outside(403, "Forbidden", words);
		},
		badRequest(id: string | undefined): Response {
			logRefusal(id, "form");
			const words = html`<p>Invalid form. A file must be UTF-8 text of at most 1 MB.</p>`;
			return outside(400, "Bad request", words);
		},
		failed(id: string | undefined, error: unknown): Response {
			// Database errors may contain the refused value.
			const message = withoutAddresses(reasonOf(error));
			log("error", "request failed", { id, error: new Error(message) });
			const words = html`<p>Something went wrong. The server’s log says what. Your change may have been saved: check before you try again.</p>
<p><a class="act" href="/">Today</a></p>`;
			return outside(500, "Something went wrong", words);
		},
	};
}
