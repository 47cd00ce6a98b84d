import { darkThemeColors, type Route, robotsContent, themeColors } from "../routes.ts";
import { canonicalUrl } from "../site-urls.ts";

/** Updates the title and meta tags on navigation without a reload. */
export function applyHead(route: Route): void {
	document.title = route.title;
	const set = (name: string, content: string, which = "") =>
		document.head.querySelector(`meta[name="${name}"]${which}`)?.setAttribute("content", content);
	set("description", route.description);
	set("theme-color", themeColors[route.sky], ":not([media])");
	set("theme-color", darkThemeColors[route.sky], "[media]");
	set("robots", robotsContent(route));

	document.head.querySelector('link[rel="canonical"]')?.remove();
	const href = canonicalUrl(route);
	if (href) {
		document.head.append(Object.assign(document.createElement("link"), { rel: "canonical", href }));
	}
}
