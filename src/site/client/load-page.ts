import type { ComponentType } from "react";
import { type Route, routeAt } from "../routes.ts";

const loaded = new Map<Route, ComponentType>();

/** Fetches a page's code, once. Rejects when the file is not there: a deploy may have replaced it. */
export async function loadPage(path: string): Promise<void> {
	const route = routeAt(path);
	if (!loaded.has(route)) loaded.set(route, await route.load());
}

/**
 * The component of a page that `loadPage` has fetched. Every move fetches before it renders: no
 * fallback flashes, and the new heading exists when the focus moves to it. Only the browser's back
 * and forward can ask for a page that is not here.
 */
export function loadedPage(route: Route): ComponentType | undefined {
	return loaded.get(route);
}
