import { type AuditPlace, COMMAND, type Done, readAudit } from "../../registrations/audit.ts";
import { html } from "../../text/html.ts";
import type { Route } from "../page.ts";
import { cutPage, nothing, pageLinks, sheet, timeAsHtml } from "../parts.ts";

const PATH = "/activity";

/** Rows on one page. */
const PAGE = 100;

/** The audit trail, the latest first, a page at a time. */
export const activityRoutes: readonly Route[] = [
	{
		method: "GET",
		path: PATH,
		async respond({ database, search }) {
			const before = placeIn(search);
			const { rows, last } = cutPage(await readAudit(database, before, PAGE + 1), PAGE);
			const links = [
				before && { href: PATH, name: "Latest" },
				last && { href: `${PATH}?before=${last.at}_${last.id}`, name: "Earlier" },
			];
			return {
				title: "Activity",
				main: html`<p class="lead">What was done on these pages and by the command line. It holds no addresses.</p>
${rows.length === 0 ? nothing(`Nothing ${before ? "earlier" : "yet"}.`, "Sign-ins, waves and deletions appear here.") : table(rows)}
${pageLinks(links)}`,
			};
		},
	},
];

function table(done: readonly Done[]) {
	const rows = done.map(
		({ at, session, action, details }) => html`<tr>
<td data-name="When">${timeAsHtml(at)}</td>
<td data-name="Who">${session === COMMAND ? "command line" : html`admin <span class="name">${session}</span>`}</td>
<th scope="row" data-name="What">${action}</th>
<td data-name="Details" class="wide">${details}</td>
</tr>`,
	);
	return sheet("done", ["When", "Who", "What", "Details"], rows);
}

/** The place that an address names; undefined without one. */
function placeIn(search: URLSearchParams): AuditPlace | undefined {
	const [, at, id] =
		/^(\d{4}-\d\d-\d\dT[\d:.]{12}Z)_([\da-f]{16})$/.exec(search.get("before") ?? "") ?? [];
	return at && id ? { at, id } : undefined;
}
