import type { ComponentType } from "react";
import { type Route, routeAt } from "../routes.ts";

const loaded = new Map<Route, ComponentType>();

/** Rejects if the page's file is gone, as after a deploy. */
export async function loadPage(path: string): Promise<void> {
	const route = routeAt(path);
	if (!loaded.has(route)) loaded.set(route, await route.load());
}

/**
 * Returns the component that `loadPage` fetched. It is missing only after back or forward: links
 * fetch before they navigate.
 */
export function getLoadedPage(route: Route): ComponentType | undefined {
	return loaded.get(route);
}
