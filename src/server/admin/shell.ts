import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { brand } from "#brand";
import { failureReason } from "../files/files.ts";
import { isolationHeaders, nosniff } from "../http/responses.ts";
import { createStaticFile, type StaticFile } from "../http/static-files.ts";
import type { Log } from "../log.ts";
import { withoutAddresses } from "../registrations/audit.ts";
import { type Html, html } from "../text/html.ts";
import { timeAsHtml } from "./parts.ts";
import { type Page, pageHeaders } from "./responses.ts";
import { SESSION_HOURS, type Session, SIGN_IN_LINK_MINUTES } from "./sessions.ts";

const NAVIGATION = {
	"/": "Today",
	"/people": "People",
	"/waves": "Waves",
	"/emails": "Emails",
	"/activity": "Activity",
};

export const SIGN_OUT_PATH = "/sign-out";
export const SIGN_OUT_EVERYONE_PATH = "/sign-out-everyone";

const HOW = html`<p>On the server, run this command. It prints a sign-in link that works once, within ${String(SIGN_IN_LINK_MINUTES)} minutes.</p>
<p class="code">waitlist admin</p>`;

/** Style sheet, fonts and icon, by path. */
export type AdminFiles = ReadonlyMap<string, StaticFile>;

/** Reads the built folder into memory. The public listener does not serve these files. */
export async function readAdminFiles(folder: string): Promise<AdminFiles> {
	const files = new Map<string, StaticFile>();
	for (const name of await readdir(folder)) {
		const headers = {
			...isolationHeaders,
			...nosniff,
			"content-security-policy": "default-src 'none'; frame-ancestors 'none'",
			"cache-control": "private, max-age=3600",
		};
		files.set(`/${name}`, createStaticFile(name, await readFile(join(folder, name)), headers));
	}
	return files;
}

/** Renders the document around each page, and the responses to signed-out and refused requests. */
export function createShell(files: AdminFiles, origin: string, timeZone: string, log: Log) {
	const filesIn = (ending: string) => [...files.keys()].filter((path) => path.endsWith(ending));

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
${filesIn(".woff2").map((url) => html`<link rel="preload" href="${url}" as="font" type="font/woff2" crossorigin>\n`)}<link rel="stylesheet" href="${filesIn(".css").join()}">
</head>
<body>${body}</body>
</html>
`.markup;

	const mark = html`<img class="mark" src="/mark.svg" width="24" height="24" alt="">`;

	const outside = (status: number, title: string, words: Html) =>
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
			{ status, headers: pageHeaders() },
		);

	return {
		page({ title, main }: Page, path: string, { id, until }: Session, now: Date): string {
			const entries = Object.entries(NAVIGATION).map(([own, name]) => {
				const isHere = path === own || path.startsWith(`${own}/`);
				const here = isHere ? html` aria-current="page"` : html``;
				return html`<li><a href="${own}"${here}>${name}</a></li>`;
			});
			return document(
				title,
				html`<div class="page admin">
<div class="light" aria-hidden="true"><div class="morning"></div><div class="night"></div></div>
<a class="skip" href="#main">Skip to content</a>
<header class="masthead">
<a class="brand" href="/">${mark}${brand.product}<span class="where">Admin</span></a>
<nav class="rooms" aria-label="Admin"><ul>${entries}</ul></nav>
<form class="sign-out" method="post" action="${SIGN_OUT_PATH}"><button class="act" type="submit">Sign out</button></form>
</header>
<main id="main" class="desk">
<h1>${title}</h1>
${main}
</main>
<footer class="foot"><p>Times are in ${timeZone}. Session <span class="name">${id}</span> ends ${timeAsHtml(until, now)}.</p>
<form method="post" action="${SIGN_OUT_EVERYONE_PATH}"><button class="act" type="submit">Sign out everyone</button></form></footer>
</div>`,
			);
		},
		/** Used, expired and forged links get the same response. */
		expired: () => outside(403, "This link no longer works", HOW),
		signedOut: () => outside(403, "Sign in", HOW),
		/** Opening a link does not sign in, because link previews open links too. */
		welcome: () =>
			outside(
				200,
				"Welcome",
				html`<p>This browser stays signed in for ${String(SESSION_HOURS)} hours.</p>
<form class="decision" method="post"><button class="return act" type="submit">Sign in</button></form>`,
			),
		forbidden: () =>
			outside(
				403,
				"Forbidden",
				html`<p>Open the admin pages at ${origin} and try again. Requests from other sites are blocked.</p>`,
			),
		badRequest: () =>
			outside(
				400,
				"Bad request",
				html`<p>The form could not be read. Go back and try again. A file must be UTF-8 text of at most 1 MB.</p>`,
			),
		failed(id: string | undefined, error: unknown): Response {
			// Database errors may contain an address.
			const message = withoutAddresses(failureReason(error));
			log("error", "request failed", { id, error: new Error(message) });
			const words = html`<p>The server log has the details. Your change may have been saved, so check before you try again.</p>
<p><a class="act" href="/">Today</a></p>`;
			return outside(500, "Something went wrong", words);
		},
	};
}
