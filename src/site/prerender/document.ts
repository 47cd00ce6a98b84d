import { canonicalUrl } from "../address.ts";
import { type Route, robots, themeColors } from "../routes.ts";
import { jsonLd } from "./json-ld.ts";
import { sharingTags } from "./sharing.ts";

/** Where a document finds what it is made of: hashed files in production, sources in development. */
export interface Assets {
	/** The whole style sheet, to stand in the document: one request less before the first paint. */
	styles?: string;
	/** The style sheet's address, in development, where it is replaced while one edits. */
	stylesUrl?: string;
	bootUrl: string;
	bootIntegrity?: string;
	mainUrl: string;
	fontUrls: readonly string[];
}

/** A complete HTML document around the markup of a page. */
export function renderDocument(route: Route, markup: string, assets: Assets): string {
	const canonical = canonicalUrl(route);
	const structured = jsonLd(route);
	const head = [
		`<meta charset="utf-8">`,
		`<meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover">`,
		`<title>${escaped(route.title)}</title>`,
		`<meta name="description" content="${escaped(route.description)}">`,
		`<meta name="theme-color" content="${themeColors[route.sky]}">`,
		`<meta name="robots" content="${robots(route)}">`,
		canonical && `<link rel="canonical" href="${canonical}">`,
		`<link rel="icon" href="/favicon.ico" sizes="32x32">`,
		`<link rel="icon" href="/favicon.svg" type="image/svg+xml">`,
		`<link rel="apple-touch-icon" href="/apple-touch-icon.png">`,
		`<link rel="manifest" href="/site.webmanifest">`,
		...assets.fontUrls.map(
			(url) => `<link rel="preload" href="${url}" as="font" type="font/woff2" crossorigin>`,
		),
		assets.styles && `<style>${assets.styles}</style>`,
		assets.stylesUrl && `<link rel="stylesheet" href="${assets.stylesUrl}">`,
		route.interactive && bootScript(assets),
		...sharingTags(route).map(
			([kind, name, content]) => `<meta ${kind}="${name}" content="${escaped(content)}">`,
		),
		// Data, not script: no policy has to allow it.
		structured && `<script type="application/ld+json">${inScript(structured)}</script>`,
	];
	return `<!doctype html>
<html lang="en">
<head>
${head.filter(Boolean).join("\n")}
</head>
<body><div id="root" data-path="${route.path}">${markup}</div></body>
</html>
`;
}

function bootScript({ bootUrl, bootIntegrity, mainUrl }: Assets): string {
	const integrity = bootIntegrity ? ` integrity="${bootIntegrity}"` : "";
	return `<script type="module" src="${bootUrl}"${integrity} data-main="${mainUrl}"></script>`;
}

/** JSON as it may stand in a script element, which ends at the first end tag, also in a string. */
function inScript(data: object): string {
	return JSON.stringify(data).replaceAll("<", "\\u003c");
}

/** Text as it may stand in HTML, in an element or in a quoted attribute. */
function escaped(text: string): string {
	return text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);
}
