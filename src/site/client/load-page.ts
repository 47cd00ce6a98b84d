import type { ComponentType } from "react";
import { type Route, routeAt } from "../routes.ts";

const loaded = new Map<Route, ComponentType>();

/** Fetches a page's code, once. Rejects when the file cannot be fetched: a deploy may have replaced it. */
export async function loadPage(path: string): Promise<void> {
	const route = routeAt(path);
	if (!loaded.has(route)) loaded.set(route, await route.load());
}

/**
 * The component of a page that `loadPage` has fetched. Pages are fetched before they are rendered,
 * so there is no fallback to flash, and the new heading exists when the focus moves to it. Only the
 * browser's own back and forward can ask for one that is not here.
 */
export function pageOf(route: Route): ComponentType | undefined {
	return loaded.get(route);
}
