import { brand } from "#brand";
import { words } from "#words";
import type { Route } from "../routes.ts";
import { absoluteUrl, canonicalUrl } from "../site-urls.ts";

/** In px: the size all networks show uncropped. */
export const sharingPictureSize = { width: 1200, height: 630 };

/** The headline for the landing page, else the title without the brand. */
export function sharingTitle({ path, title }: Route): string {
	return path === "/"
		? [...words.headline.lines, words.headline.turning[0]].join(" ")
		: title.replace(` · ${brand.product}`, "");
}

/** Taken by `npm run photograph`. */
export function sharingPicture(route: Route): { path: string; alt: string } {
	return {
		path: `/sharing/${route.file}.jpg`,
		alt: `“${sharingTitle(route)}” ${words.pictures[route.sky]}.`,
	};
}

/**
 * Sharing card as attribute, name and content of each `meta` element. Networks read Open Graph
 * (ogp.me); X needs one more tag.
 */
export function sharingTags(route: Route): (readonly [string, string, string])[] {
	const url = canonicalUrl(route);
	if (!url) return [];
	const picture = sharingPicture(route);
	return [
		["property", "og:type", "website"],
		["property", "og:site_name", brand.product],
		["property", "og:locale", localeOf(brand.language)],
		["property", "og:title", route.title],
		["property", "og:description", route.description],
		["property", "og:url", url],
		["property", "og:image", absoluteUrl(picture.path)],
		["property", "og:image:type", "image/jpeg"],
		["property", "og:image:width", String(sharingPictureSize.width)],
		["property", "og:image:height", String(sharingPictureSize.height)],
		["property", "og:image:alt", picture.alt],
		["name", "twitter:card", "summary_large_image"],
	];
}

/** Open Graph requires a region: "en" becomes `en_US`. */
function localeOf(tag: string): string {
	const { language, region } = new Intl.Locale(tag).maximize();
	return `${language}_${region}`;
}
