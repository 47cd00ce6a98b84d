import { addressOf } from "./address.ts";
import { type Route, themeColors } from "./routes.ts";

/** The page's own address, for search engines and shared links; what is not found has none. */
export function canonicalUrl({ path, status }: Route): string | undefined {
	return status === 200 ? addressOf(path) : undefined;
}

/** Brings the document's head up to the page that has just been shown without a reload. */
export function applyHead(route: Route): void {
	document.title = route.title;
	const set = (name: string, content: string) =>
		document.head.querySelector(`meta[name="${name}"]`)?.setAttribute("content", content);
	set("description", route.description);
	set("theme-color", themeColors[route.sky]);
	set("robots", robots(route));

	document.head.querySelector('link[rel="canonical"]')?.remove();
	const href = canonicalUrl(route);
	if (href) {
		document.head.append(Object.assign(document.createElement("link"), { rel: "canonical", href }));
	}
}

/** What the page asks of search engines. */
export function robots(route: Route): string {
	return route.indexed ? "index, follow" : "noindex";
}
