import { brand } from "#brand";

/** Where the site lives: what the build was told, else the brand's own. */
const origin = import.meta.env.SITE_ORIGIN || brand.origin;

/** The whole address of a path, for search engines, shared links and paper. */
export function addressOf(path: string): string {
	return origin + path;
}
