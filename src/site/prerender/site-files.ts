import { brand } from "#brand";
import mark from "../mark.svg?raw";
import { type Route, routeAt, routes, themeColors } from "../routes.ts";
import { absoluteUrl, canonicalUrl } from "../site-urls.ts";

export interface SiteFile {
	path: string;
	content: string;
}

/** Validity of security.txt: RFC 9116, 2.5.5 recommends less than a year. */
const SECURITY_DAYS = 330;

/** Files at well-known paths. */
export function listSiteFiles(now: Date): SiteFile[] {
	return [
		{ path: "/robots.txt", content: robotsTxt() },
		{ path: "/sitemap.xml", content: sitemap() },
		{ path: "/site.webmanifest", content: inJson(manifest()) },
		{ path: "/.well-known/security.txt", content: securityTxt(now) },
		{ path: "/mark.svg", content: mark },
		{ path: "/speculation.json", content: inJson(speculationRules()) },
	];
}

/** RFC 9309. Allows pages with `noindex`, because crawlers must fetch a page to read its tags. */
function robotsTxt(): string {
	return `User-agent: *\nDisallow: /api/\n\nSitemap: ${absoluteUrl("/sitemap.xml")}\n`;
}

/** sitemaps.org, protocol 0.9. */
function sitemap(): string {
	const urls = routes
		.filter((route) => route.indexed)
		.map((route) => `\t<url><loc>${canonicalUrl(route)}</loc></url>`);
	return `<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
${urls.join("\n")}
</urlset>
`;
}

/** W3C Web Application Manifest: names and icons for a home screen. */
function manifest(): object {
	const { title, description, sky } = routeAt("/");
	return {
		id: "/",
		name: title,
		short_name: brand.product,
		description,
		lang: brand.language,
		start_url: "/",
		scope: "/",
		display: "browser",
		background_color: themeColors[sky],
		theme_color: themeColors[sky],
		icons: [
			{ src: "/icon-192.png", sizes: "192x192", type: "image/png" },
			{ src: "/icon-512.png", sizes: "512x512", type: "image/png" },
			{ src: "/icon-maskable-512.png", sizes: "512x512", type: "image/png", purpose: "maskable" },
			{ src: "/mark.svg", sizes: "any", type: "image/svg+xml" },
		],
	};
}

/** RFC 9116. */
function securityTxt(now: Date): string {
	const expires = new Date(now);
	expires.setUTCDate(expires.getUTCDate() + SECURITY_DAYS);
	expires.setUTCHours(0, 0, 0, 0);
	return [
		`Contact: mailto:${brand.email}`,
		`Expires: ${expires.toISOString()}`,
		`Preferred-Languages: ${brand.language}`,
		`Canonical: ${absoluteUrl("/.well-known/security.txt")}`,
		"",
	].join("\n");
}

/**
 * Chromium prerenders a page when the pointer rests on its link (WICG Speculation Rules). Links
 * between pages with script are excluded, because they load no document.
 */
function speculationRules(): object {
	const leadTo = (pages: readonly Route[]) => ({
		href_matches: pages.map(({ path }) => ({ pathname: path, hash: "" })),
	});
	const pages = routes.filter((route) => route.status === 200);
	const fromPageWithScript = { selector_matches: ":root:has(script[data-main]) a" };
	return {
		prerender: [
			{
				source: "document",
				where: leadTo(pages.filter((route) => !route.interactive)),
				eagerness: "moderate",
			},
			{
				source: "document",
				where: {
					and: [leadTo(pages.filter((route) => route.interactive)), { not: fromPageWithScript }],
				},
				eagerness: "moderate",
			},
		],
	};
}

function inJson(value: object): string {
	return `${JSON.stringify(value, null, "\t")}\n`;
}
