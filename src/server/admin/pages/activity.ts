import { COMMAND_SESSION, readAudit } from "../../registrations/audit.ts";
import { html } from "../../text/html.ts";
import { emptyCard, paginationNav, responsiveTable, timeAsHtml } from "../parts.ts";
import { getRoute } from "../responses.ts";

const PATH = "/activity";

const PAGE = 100;

export const activityRoute = getRoute(PATH, async ({ database, search, now }) => {
	const place = /^(\d{4}-\d\d-\d\dT[\d:.]{12}Z)_([\da-f]{16})$/;
	const [, at, id] = place.exec(search.get("before") ?? "") ?? [];
	const before = at && id ? { at, id } : undefined;
	const found = await readAudit(database, before, PAGE + 1);
	const last = found.length > PAGE ? found[PAGE - 1] : undefined;
	const rows = found
		.slice(0, PAGE)
		.map(({ at, session, action, details }) => [
			timeAsHtml(at, now),
			session === COMMAND_SESSION
				? "command line"
				: html`admin <span class="name">${session}</span>`,
			action,
			details,
		]);
	const options = { look: "done", wide: "Details" };
	const links = [
		before && { href: PATH, name: "Latest" },
		last && { href: `${PATH}?before=${last.at}_${last.id}`, name: "Earlier" },
	];
	return {
		title: "Activity",
		main: html`<p class="lead">Actions on these pages and with the command line, without addresses. Not recorded: exports, backups, test emails, and the commands restore, migrate, sent and check.</p>
${rows.length === 0 ? emptyCard("Nothing here.", "Sign-ins, waves and deletions appear here.") : responsiveTable(["When", "Who", "What", "Details"], rows, options)}
${paginationNav(links)}`,
	};
});
