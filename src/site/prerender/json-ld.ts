import { brand } from "#brand";
import { addressOf } from "../address.ts";
import type { Route } from "../routes.ts";

/**
 * schema.org data for the landing page. Omits product, price and rating, which do not exist yet.
 */
export function jsonLd(route: Route): object | undefined {
	if (route.path !== "/") return undefined;
	const organization = addressOf("/#organization");
	return {
		"@context": "https://schema.org",
		"@graph": [
			{
				"@type": "WebSite",
				"@id": addressOf("/#website"),
				url: addressOf("/"),
				name: brand.product,
				description: route.description,
				inLanguage: brand.language,
				publisher: { "@id": organization },
			},
			{
				"@type": "Organization",
				"@id": organization,
				name: brand.company,
				url: addressOf("/"),
				email: brand.email,
				logo: addressOf("/icon-512.png"),
			},
		],
	};
}
