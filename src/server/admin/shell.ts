import { brand } from "#brand";
import { type Html, html } from "../text/html.ts";
import type { AdminFiles } from "./files.ts";
import { PERSON_PATH, timeAsHtml } from "./parts.ts";
import type { Page } from "./responses.ts";
import type { Session } from "./sessions.ts";

/** The navigation, with paths whose pages belong to an entry. */
const NAVIGATION: readonly { path: string; name: string; also?: string }[] = [
	{ path: "/", name: "Today" },
	{ path: "/people", name: "People", also: PERSON_PATH },
	{ path: "/waves", name: "Waves" },
	{ path: "/emails", name: "Emails" },
	{ path: "/activity", name: "Activity" },
];

export const SIGN_OUT_PATH = "/sign-out";
export const SIGN_OUT_EVERYONE_PATH = "/sign-out-everyone";

export interface Shell {
	page(page: Page, path: string, session: Session): string;
	/** For somebody who is not signed in, or is refused. */
	outside(title: string, words: Html): string;
}

export function createShell(files: AdminFiles): Shell {
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

	return {
		page({ title, main }, path, { id, until }) {
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
		outside: (title, words) =>
			document(
				title,
				html`<div class="stage" aria-hidden="true"><div class="morning"></div><div class="night"></div><div class="sphere"></div></div>
<div class="page letter outside">
<header class="masthead"><span class="brand">${mark}${brand.product}<span class="where">Admin</span></span></header>
<main class="centre"><div class="said">
<h1>${title}</h1>
${words}
</div></main>
</div>`,
			),
	};
}
