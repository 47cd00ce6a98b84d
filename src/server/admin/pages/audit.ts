import { html } from "../../html.ts";
import {
	type AuditPlace,
	allOfAudit,
	COMMAND,
	type Done,
	readAudit,
} from "../../registrations/audit.ts";
import { csvRecord } from "../../transfer/csv.ts";
import type { Download, OfficeRoute } from "../page.ts";
import { cutPage, pageLinks } from "../paging.ts";
import { timeAsHtml } from "../time.ts";
import { nothing } from "../today/words.ts";

const PATH = "/audit";

/** Rows on one page. */
const PAGE = 100;

const COLUMNS = ["at", "session", "action", "details"] as const;

/** What was done, the latest first, a page at a time, and as a file. */
export const auditRoutes: readonly OfficeRoute[] = [
	{
		method: "GET",
		path: PATH,
		async respond({ database, search }) {
			const before = placeIn(search);
			const { rows, last } = cutPage(await readAudit(database.query, before, PAGE + 1), PAGE);
			const files = html`<span class="files">Everything as <a href="${PATH}.csv">CSV</a> <a href="${PATH}.jsonl">JSON lines</a></span>`;
			const links = [
				before && { href: PATH, name: "Latest" },
				last && { href: `${PATH}?before=${last.at}_${last.id}`, name: "Earlier" },
			];
			return {
				title: "Audit",
				main: html`<p class="lead">What was done in the office, by which session. No address is in it.</p>
${rows.length === 0 ? nothing(`Nothing was done ${before ? "before that" : "yet"}.`, html`Whoever signs in, sends or erases is noted here.`) : table(rows)}
${pageLinks(links, files)}`,
			};
		},
	},
	{
		method: "GET",
		path: `${PATH}.csv`,
		respond: ({ database }) => ({
			file: "audit.csv",
			type: "text/csv",
			download: lines(allOfAudit(database.query), `${COLUMNS.join(",")}\r\n`, (done) =>
				csvRecord(COLUMNS.map((name) => done[name])),
			),
		}),
	},
	{
		method: "GET",
		path: `${PATH}.jsonl`,
		respond: ({ database }) => ({
			file: "audit.jsonl",
			type: "application/jsonl",
			download: lines(
				allOfAudit(database.query),
				"",
				(done) => `${JSON.stringify(done, [...COLUMNS])}\n`,
			),
		}),
	},
];

function table(done: readonly Done[]) {
	const rows = done.map(
		({ at, session, action, details }) => html`<tr>
<td data-name="When">${timeAsHtml(at)}</td>
<td data-name="Session">${session === COMMAND ? "the command" : html`<span class="name">${session}</span>`}</td>
<th scope="row" data-name="What">${action}</th>
<td data-name="Details" class="wide">${details}</td>
</tr>`,
	);
	return html`<div class="card sheet done"><table>
<thead><tr><th scope="col">When</th><th scope="col">Session</th><th scope="col">What</th><th scope="col">Details</th></tr></thead>
<tbody>${rows}</tbody>
</table></div>`;
}

/** The place that an address names; undefined where it names none. */
function placeIn(search: URLSearchParams): AuditPlace | undefined {
	const [, at, id] =
		/^(\d{4}-\d\d-\d\dT[\d:.]{12}Z)_([\da-f]{16})$/.exec(search.get("before") ?? "") ?? [];
	return at && id ? { at, id } : undefined;
}

async function* lines(
	pages: AsyncIterable<Done[]>,
	start: string,
	lineOf: (done: Done) => string,
): Download["download"] {
	if (start) yield start;
	for await (const page of pages) yield page.map(lineOf).join("");
}
