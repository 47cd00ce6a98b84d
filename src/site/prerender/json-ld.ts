import { brand } from "#brand";
import { addressOf } from "../address.ts";
import type { Route } from "../routes.ts";

/**
 * What is true of the site in the words of schema.org, for the landing page: that it is a site, and
 * whose. No product, price or rating is claimed: none exists yet.
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
				inLanguage: "en",
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
