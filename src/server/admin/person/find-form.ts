import { type Html, html } from "../../html.ts";

/** What the path of a person begins with. Their key follows. */
export const PERSON_PATH = "/person";

/** The page of a person. */
export const personPath = (key: string) => `${PERSON_PATH}/${encodeURIComponent(key)}`;

/**
 * The field that finds a person. It is posted, so that what was typed stands in no history.
 *
 * @param brief whether it stands in a line with others, without a sheet of its own
 */
export function findForm({ typed = "", brief = false } = {}): Html {
	const look = brief ? "find brief" : "card find";
	return html`<form class="${look}" method="post" action="${PERSON_PATH}" role="search">
<label><span>Find a person, by any spelling of the address</span><input name="email" type="text" inputmode="email" value="${typed}"${brief ? html` placeholder="Find a person"` : html``} required autocomplete="off" autocapitalize="off" spellcheck="false"></label>
<button class="act${brief ? "" : " strong"}" type="submit">Find</button>
</form>`;
}
