import { type Html, html } from "../../html.ts";

/** What the path of a person begins with. Their key follows. */
export const PERSON_PATH = "/person";

/** The page of a person. */
export const personPath = (key: string) => `${PERSON_PATH}/${encodeURIComponent(key)}`;

/** The field that finds a person. It is posted, so that what was typed stands in no history. */
export function findForm(typed = ""): Html {
	return html`<form class="card find" method="post" action="${PERSON_PATH}" role="search">
<label><span>Find a person, by any spelling of the address</span><input name="email" type="text" inputmode="email" value="${typed}" required autocomplete="off" autocapitalize="off" spellcheck="false"></label>
<button class="act strong" type="submit">Find</button>
</form>`;
}
