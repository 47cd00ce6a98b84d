import { brand } from "#brand";
import { builtOrigin } from "#shared/built-origin.ts";

const origin = builtOrigin || brand.origin;

export function absoluteUrl(path: string): string {
	return origin + path;
}

/** Undefined for the not-found page. */
export function canonicalUrl(page: { path: string; status: number }): string | undefined {
	return page.status === 200 ? absoluteUrl(page.path) : undefined;
}
