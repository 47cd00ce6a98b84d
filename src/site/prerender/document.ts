import { brand } from "#brand";
import { darkThemeColors, type Route, robotsContent, themeColors } from "../routes.ts";
import { canonicalUrl } from "../site-urls.ts";
import { createJsonLd } from "./json-ld.ts";
import { sharingTags } from "./sharing.ts";

/** URLs of hashed files in production, and of sources in development. */
export interface PageAssets {
	/** Inlined to save a request before the first paint. */
	styles?: string;
	/** Development only, where edits are hot-replaced. */
	stylesUrl?: string;
	bootUrl: string;
	bootIntegrity?: string;
	mainUrl: string;
	/** Fonts to preload. One with `letters` is preloaded only on pages that contain such a letter. */
	fonts: readonly { url: string; letters?: RegExp }[];
}

export interface PageScript {
	url: string;
	integrity: string;
}

export function renderDocument(
	route: Route,
	markup: string,
	assets: PageAssets,
	ownScript?: PageScript,
): string {
	const canonical = canonicalUrl(route);
	const structured = createJsonLd(route);
	const head = [
		`<meta charset="utf-8">`,
		`<meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover">`,
		`<title>${escapeHtml(route.title)}</title>`,
		`<meta name="description" content="${escapeHtml(route.description)}">`,
		// Dark first, because browsers use the first matching theme color.
		`<meta name="theme-color" media="(prefers-color-scheme: dark)" content="${darkThemeColors[route.sky]}">`,
		`<meta name="theme-color" content="${themeColors[route.sky]}">`,
		`<meta name="robots" content="${robotsContent(route)}">`,
		canonical && `<link rel="canonical" href="${canonical}">`,
		`<link rel="icon" href="/favicon.ico" sizes="32x32">`,
		`<link rel="icon" href="/mark.svg" type="image/svg+xml">`,
		`<link rel="apple-touch-icon" href="/apple-touch-icon.png">`,
		`<link rel="manifest" href="/site.webmanifest">`,
		...assets.fonts
			.filter(({ letters }) => !letters || letters.test(markup))
			.map(
				({ url }) => `<link rel="preload" href="${url}" as="font" type="font/woff2" crossorigin>`,
			),
		assets.styles && `<style>${assets.styles}</style>`,
		assets.stylesUrl && `<link rel="stylesheet" href="${assets.stylesUrl}">`,
		route.interactive && bootScript(assets),
		ownScript &&
			`<script type="module" src="${ownScript.url}" integrity="${ownScript.integrity}"></script>`,
		...sharingTags(route).map(
			([kind, name, content]) => `<meta ${kind}="${name}" content="${escapeHtml(content)}">`,
		),
		// JSON-LD is data, so the Content-Security-Policy need not allow it.
		structured && `<script type="application/ld+json">${inScript(structured)}</script>`,
	];
	return `<!doctype html>
<html lang="${brand.language}">
<head>
${head.filter(Boolean).join("\n")}
</head>
<body><div id="root" data-path="${route.path}">${markup}</div></body>
</html>
`;
}

function bootScript({ bootUrl, bootIntegrity, mainUrl }: PageAssets): string {
	const integrity = bootIntegrity ? ` integrity="${bootIntegrity}"` : "";
	return `<script type="module" src="${bootUrl}"${integrity} data-main="${mainUrl}"></script>`;
}

/** A script element ends at the first `</script>`, even inside a string. */
function inScript(data: object): string {
	return JSON.stringify(data).replaceAll("<", "\\u003c");
}

function escapeHtml(text: string): string {
	return text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);
}
