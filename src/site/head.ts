import { addressOf } from "./address.ts";
import { type Route, themeColors } from "./routes.ts";

/** The page's own address, for search engines and shared links. */
export function canonicalUrl(route: Route): string {
	return addressOf(route.path);
}

/** Brings the document's head up to the page that has just been shown without a reload. */
export function applyHead(route: Route): void {
	document.title = route.title;
	const set = (selector: string, attribute: string, value: string) =>
		document.head.querySelector(selector)?.setAttribute(attribute, value);
	set('meta[name="description"]', "content", route.description);
	set('meta[name="theme-color"]', "content", themeColors[route.sky]);
	set('meta[name="robots"]', "content", robots(route));
	set('link[rel="canonical"]', "href", canonicalUrl(route));
}

/** What the page asks of search engines. */
export function robots(route: Route): string {
	return route.indexed ? "index, follow" : "noindex";
}
