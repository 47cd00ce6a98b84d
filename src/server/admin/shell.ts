import { brand } from "#brand";
import { type Html, html } from "../html.ts";
import type { OfficeFiles } from "./files.ts";
import type { OfficeRoute, Page } from "./page.ts";
import { PERSON_PATH } from "./person/find-form.ts";
import type { Session } from "./sessions.ts";
import { timeAsHtml } from "./time.ts";

/** The rooms of the office, in the order in which the navigation shows those that are there. */
const ROOMS: readonly { path: string; name: string; parts?: string }[] = [
	{ path: "/", name: "Today" },
	{ path: "/list", name: "List", parts: PERSON_PATH },
	{ path: "/letters", name: "Letters" },
	{ path: "/audit", name: "Audit" },
];

/** Where the forms of the buttons "Sign out" and "Sign out everyone" lead. */
export const SIGN_OUT_PATH = "/sign-out";
export const SIGN_OUT_EVERYONE_PATH = "/sign-out-everyone";

/** Puts the shell around what is shown. Each gives a whole document. */
export interface Shell {
	page(page: Page, path: string, session: Session): string;
	/** For somebody who is not signed in, or is refused. */
	outside(title: string, words: Html): string;
}

/** @param routes decide which rooms the navigation shows */
export function createShell(files: OfficeFiles, routes: readonly OfficeRoute[]): Shell {
	const rooms = ROOMS.filter(({ path }) => routes.some((route) => route.path === path));

	const document = (title: string, body: Html) =>
		html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover">
<title>${title} · ${brand.product} office</title>
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
			const entries = rooms.map((room) => {
				const isHere = [room.path, room.parts].some(
					(own) => own === path || path.startsWith(`${own}/`),
				);
				const here = isHere ? html` aria-current="page"` : html``;
				return html`<li><a href="${room.path}"${here}>${room.name}</a></li>`;
			});
			return document(
				title,
				html`<div class="page office">
<div class="light" aria-hidden="true"><div class="morning"></div><div class="night"></div></div>
<a class="skip" href="#main">Skip to the page</a>
<header class="masthead">
<a class="brand" href="/">${mark}${brand.product}<span class="where">Office</span></a>
<nav class="rooms" aria-label="Office"><ul>${entries}</ul></nav>
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
<header class="masthead"><span class="brand">${mark}${brand.product}<span class="where">Office</span></span></header>
<main class="centre"><div class="said">
<h1>${title}</h1>
${words}
</div></main>
</div>`,
			),
	};
}
