import type { ComponentType } from "react";
import { type Route, routeAt } from "../routes.ts";

const loaded = new Map<Route, ComponentType>();

/** Fetches a page's component once. Rejects if its file is gone, as after a deploy. */
export async function loadPage(path: string): Promise<void> {
	const route = routeAt(path);
	if (!loaded.has(route)) loaded.set(route, await route.load());
}

/**
 * The component of a page fetched by `loadPage`. Navigation always fetches before it renders, so no
 * fallback flashes and the new heading exists when it gets the focus. Undefined only after the
 * browser's back or forward button.
 */
export function loadedPage(route: Route): ComponentType | undefined {
	return loaded.get(route);
}
