import { html } from "../../html.ts";
import { printableLine } from "../../printable.ts";
import type { OfficeRoute } from "../routes.ts";
import { endAllSessions, endSession, listSessions } from "../sessions.ts";
import { timeAsHtml } from "../time.ts";

const PATH = "/sessions";

/** Who is signed in, and the buttons that end each session, or all of them. */
export const sessionRoutes: readonly OfficeRoute[] = [
	{
		method: "GET",
		path: PATH,
		async respond({ database, now, session }) {
			const sessions = await listSessions(database.query, now);
			const rows = sessions.map(({ id, since, agent }) => {
				const ours = id === session.id ? html` <span class="mark-here">this one</span>` : html``;
				return html`<tr>
<th scope="row"><span class="name">${id}</span>${ours}</th>
<td data-name="Since">${timeAsHtml(since)}</td>
<td data-name="Browser" class="wide">${printableLine(agent) || "It does not say"}</td>
<td class="act-cell"><form method="post" action="${PATH}/end"><button class="act" type="submit" name="id" value="${id}" aria-label="End session ${id}">End</button></form></td>
</tr>`;
			});
			return {
				title: "Sessions",
				main: html`<p class="lead">Browsers that are signed in. Each session ends by itself after 12 hours.</p>
<div class="card sheet"><table>
<thead><tr><th scope="col">Session</th><th scope="col">Since</th><th scope="col">Browser</th><td></td></tr></thead>
<tbody>${rows}</tbody>
</table></div>
<form class="actions" method="post" action="${PATH}/end-all"><button class="act strong" type="submit">End all sessions</button>
<p>Yours as well, and every link that was not used.</p></form>`,
			};
		},
	},
	{
		method: "POST",
		path: `${PATH}/end`,
		async respond({ database, form, now, session }) {
			const id = form.get("id");
			const found = (await listSessions(database.query, now)).find((one) => one.id === id);
			if (found) await endSession(database, { id: found.id, by: session.id, now });
			return { seeOther: PATH };
		},
	},
	{
		method: "POST",
		path: `${PATH}/end-all`,
		async respond({ database, now, session }) {
			await endAllSessions(database, { by: session.id, now });
			return { seeOther: PATH };
		},
	},
];
