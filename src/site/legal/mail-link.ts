import { brand } from "#brand";
import type { Link } from "./legal-document.ts";

/**
 * A link that writes to us. The address is its text, so that it survives on paper.
 * Spaces in the subject become `%20`, as RFC 6068 section 5 asks, not `+`.
 */
export function mailLink(subject?: string): Link {
	const query = subject === undefined ? "" : `?subject=${encodeURIComponent(subject)}`;
	return { text: brand.email, href: `mailto:${brand.email}${query}` };
}
