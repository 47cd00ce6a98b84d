import type { ComponentType } from "react";
import { type Route, routeAt } from "../routes.ts";

const loaded = new Map<Route, ComponentType>();

/** Once per page. Rejects if the file is gone: a deploy may have replaced it. */
export async function loadPage(path: string): Promise<void> {
	const route = routeAt(path);
	if (!loaded.has(route)) loaded.set(route, await route.load());
}

/**
 * The component of a page fetched by `loadPage`. Navigation always fetches before it renders, so no
 * fallback flashes and the new heading exists when it gets the focus. Only the browser's back and
 * forward buttons can ask for a page that is not loaded.
 */
export function loadedPage(route: Route): ComponentType | undefined {
	return loaded.get(route);
}
