import { type Html, html } from "../html.ts";

/** A link of the office, as a button. */
interface Link {
	href: string;
	name: string;
}

/**
 * Splits what was read into a page and the place after it.
 *
 * @param found one row more than a page has, where there is a next page
 * @returns `last` is the row after which the next page begins; undefined where there is none
 */
export function cutPage<Row>(found: readonly Row[], most: number): { rows: Row[]; last?: Row } {
	const rows = found.slice(0, most);
	return found.length > most ? { rows, last: rows.at(-1)! } : { rows };
}

/** What stands below a page of rows: links to other pages, and what else there is of them. */
export function pageLinks(links: readonly (Link | undefined)[], beside: Html = html``): Html {
	const shown = links.flatMap((link) =>
		link ? [html`<a class="act" href="${link.href}">${link.name}</a>\n`] : [],
	);
	return html`<nav class="actions" aria-label="Pages">
${shown}${beside}
</nav>`;
}
