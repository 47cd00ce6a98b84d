import { brand } from "#brand";
import { builtOrigin } from "#shared/built-origin.ts";

/** Where the site lives: what the build was told, else the brand's own. */
const origin = builtOrigin || brand.origin;

/** The whole address of a path, for search engines, shared links and paper. */
export function addressOf(path: string): string {
	return origin + path;
}

/** The page's own address, for search engines and shared links. The not-found page has none. */
export function canonicalUrl({
	path,
	status,
}: {
	path: string;
	status: number;
}): string | undefined {
	return status === 200 ? addressOf(path) : undefined;
}
