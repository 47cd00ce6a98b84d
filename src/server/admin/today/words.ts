import { type Html, html } from "../../html.ts";

/** A number as people read it: `1,000,000`. */
export const figure = (n: number) => n.toLocaleString("en");

/** `1 letter`, `2 letters`. */
export const counted = (n: number, one: string, many = `${one}s`) =>
	`${figure(n)} ${n === 1 ? one : many}`;

/** A heading with what stands below it, on a sheet of its own. */
export function card(name: string, title: string, inner: Html): Html {
	return html`<section class="card ${name}" aria-labelledby="${name}"><h2 id="${name}">${title}</h2>
${inner}</section>
`;
}

/** A page without rows: says so, and what to do about it. */
export const nothing = (said: string, then: Html) =>
	html`<div class="card nothing"><div class="sphere" aria-hidden="true"></div><p class="nothing-said">${said}</p><p>${then}</p></div>`;

/** What a phone shows once it is asked to, and a larger window always. */
export const fold = (summary: string, inner: Html) =>
	html`<details class="fold"><summary>${summary}</summary>${inner}</details>`;

/** The numbers of a picture, for whoever does not see it. */
export function asTable(caption: string, names: readonly string[], rows: readonly Row[]): Html {
	return html`<details class="numbers"><summary>${caption}</summary>${table(names, rows)}</details>`;
}

/** The first cell names its row, and may be a link to more of it. */
export type Row = readonly [string | Html, ...string[]];

/** A table of texts. Numbers are all cells but the first of a row. */
export function table(names: readonly string[], rows: readonly Row[]): Html {
	const heads = names.map((name) => html`<th scope="col">${name}</th>`);
	const body = rows.map(
		([name, ...cells]) =>
			html`<tr><th scope="row">${name}</th>${cells.map((cell) => html`<td>${cell}</td>`)}</tr>`,
	);
	return html`<table class="figures"><thead><tr>${heads}</tr></thead><tbody>${body}</tbody></table>`;
}
