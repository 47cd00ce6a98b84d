import { brand } from "#brand";
import { builtOrigin } from "#shared/built-origin.ts";

/** The build's `SITE_ORIGIN`, else the brand's origin. */
const origin = builtOrigin || brand.origin;

/** The absolute URL of a path, for search engines, shared links and print. */
export function addressOf(path: string): string {
	return origin + path;
}

/** The page's own URL, for search engines and shared links. The not-found page has none. */
export function canonicalUrl({
	path,
	status,
}: {
	path: string;
	status: number;
}): string | undefined {
	return status === 200 ? addressOf(path) : undefined;
}
