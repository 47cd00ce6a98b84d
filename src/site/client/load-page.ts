import type { ComponentType } from "react";
import { type Route, routeAt } from "../routes.ts";

const loaded = new Map<Route, ComponentType>();

/** Rejects if the page's file is gone, as after a deploy. */
export async function loadPage(path: string): Promise<void> {
	const route = routeAt(path);
	if (!loaded.has(route)) loaded.set(route, await route.load());
}

/**
 * Returns the component that `loadPage` fetched. Links fetch before they navigate, so only the
 * browser's back and forward buttons lead to a page without one.
 */
export function loadedPage(route: Route): ComponentType | undefined {
	return loaded.get(route);
}
