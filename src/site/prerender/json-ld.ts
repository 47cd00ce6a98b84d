import { brand } from "#brand";
import type { Route } from "../routes.ts";
import { absoluteUrl } from "../site-urls.ts";

/**
 * schema.org data for the landing page. Omits product, price and rating, which do not exist yet.
 */
export function createJsonLd(route: Route): object | undefined {
	if (route.path !== "/") return undefined;
	const organization = absoluteUrl("/#organization");
	return {
		"@context": "https://schema.org",
		"@graph": [
			{
				"@type": "WebSite",
				"@id": absoluteUrl("/#website"),
				url: absoluteUrl("/"),
				name: brand.product,
				description: route.description,
				inLanguage: brand.language,
				publisher: { "@id": organization },
			},
			{
				"@type": "Organization",
				"@id": organization,
				name: brand.company,
				url: absoluteUrl("/"),
				email: brand.email,
				logo: absoluteUrl("/icon-512.png"),
			},
		],
	};
}
