import { NO_MAIL } from "../mail/overview.ts";
import { type Problems, Refusal } from "../refusal.ts";
import { FOUNDER_FLAG } from "../registrations/flags.ts";
import { type Html, html } from "../text/html.ts";
import { printable, printableLine } from "../text/printable.ts";
import { shortTime, shownTime } from "../time.ts";
import {
	type Page,
	type PageRequest,
	type PageResponse,
	postRoute,
	type Route,
} from "./responses.ts";

export const PEOPLE_PATH = "/people";

export const personPath = (key: string) => `${PEOPLE_PATH}/${encodeURIComponent(key)}`;

export function peoplePath(filter: Readonly<Record<string, string>>, path = PEOPLE_PATH): string {
	const search = new URLSearchParams(filter);
	return search.size > 0 ? `${path}?${search}` : path;
}

export const timeAsHtml = (iso: string, now: Date) =>
	html`<time datetime="${iso}" title="${shownTime(iso)}">${shortTime(iso, now)}</time>`;

/** Renders a sentence with text in backticks as code. */
export function sentenceAsHtml(sentence: string): Html {
	const parts = printable(sentence).split(/`([^`]+)`/);
	return html`${parts.map((part, n) => (n % 2 ? html`<code>${part}</code>` : html`${part}`))}`;
}

/** Escapes unknown flags, because imports may add any text. */
export const flagAsText = (flag: string) =>
	flag === FOUNDER_FLAG ? "blocked" : flag === "none" ? "not flagged" : printableLine(flag);

export const card = (id: string, title: string | Html, inner: Html) =>
	html`<section class="card ${id}" aria-labelledby="${id}"><h2 id="${id}">${title}</h2>
${inner}</section>
`;

export const notice = (words: Html | string) =>
	html`<p class="card notice" role="status">${words}</p>`;

export const refusalNotice = (why: string) =>
	html`<p class="card alarm" role="alert">${sentenceAsHtml(why)}</p>`;

export const emptyCard = (title: string, then: Html | string) =>
	html`<div class="card nothing"><div class="sphere" aria-hidden="true"></div><p class="nothing-said">${title}</p><p>${then}</p></div>`;

export const NO_MAIL_CARD = emptyCard(
	NO_MAIL,
	html`Set <code>SMTP_URL</code>, <code>WAITLIST_MAIL_FROM</code> and <code>SITE_ORIGIN</code>, and restart the server.`,
);

export function factList(rows: readonly (readonly [string, string | Html])[]): Html {
	const all = rows.map(
		([name, fact]) =>
			html`<div${fact === "0" ? html` class="none"` : html``}><dt>${name}</dt><dd>${fact}</dd></div>`,
	);
	return html`<dl class="facts">${all}</dl>`;
}

type Rows = readonly (readonly (string | Html)[])[];

function table(columns: readonly string[], rows: Rows, wide = ""): Html {
	const cellOf = (cell: string | Html, n: number) => {
		const name = columns[n]!;
		if (n === 0) return html`<th scope="row">${cell}</th>`;
		return html`<td data-name="${name}"${name === wide ? html` class="wide"` : html``}>${cell}</td>`;
	};
	return html`<table><thead><tr>${columns.map((name) => html`<th scope="col">${name}</th>`)}</tr></thead>
<tbody>${rows.map((row) => html`<tr>${row.map(cellOf)}</tr>\n`)}</tbody></table>`;
}

export const numbersTable = (columns: readonly string[], rows: Rows) =>
	html`<div class="figures">${table(columns, rows)}</div>`;

/** Table whose rows become cards on a phone. In a card, each cell except the first shows its column's name. */
export const responsiveTable = (
	columns: readonly string[],
	rows: Rows,
	{ look = "", wide = "" } = {},
) => html`<div class="card sheet ${look}">${table(columns, rows, wide)}</div>`;

/** Renders a control with its label, and a hint or an error. The first invalid control gets the focus. */
export const createFieldRenderer =
	(problems: Problems = {}) =>
	(name: string, label: string, hint: string | Html, control: (attributes: Html) => Html): Html => {
		const focus = Object.keys(problems)[0] === name ? html` autofocus` : html``;
		const invalid = name in problems ? html` aria-invalid="true"${focus}` : html``;
		return html`<div class="field"><label for="${name}">${label}</label>
${control(html`id="${name}" name="${name}" aria-describedby="${name}-hint"${invalid}`)}
<p class="hint" id="${name}-hint">${problems[name] ?? hint}</p></div>`;
	};

/** Search form for a person. Uses POST to keep addresses out of the browser's history. */
export const searchForm = (typed = "", problems?: Problems) =>
	html`<form class="find" method="post" action="${PEOPLE_PATH}" role="search" novalidate>
${createFieldRenderer(problems)(
	"email",
	"Find a person by address",
	"",
	(its) =>
		html`<input ${its} inputmode="email" value="${typed}" placeholder="Find a person" required autocomplete="off" autocapitalize="off" spellcheck="false">`,
)}
<button class="act" type="submit">Find</button>
</form>`;

export const paginationNav = (links: readonly ({ href: string; name: string } | undefined)[]) =>
	html`<nav class="actions" aria-label="Pages">
${links.map((link) => (link ? html`<a class="act" href="${link.href}">${link.name}</a>\n` : html``))}
</nav>`;

/** Page that asks to confirm an irreversible action. Its button posts to the page's own path. */
export const confirmForm = (
	title: string,
	{ back, button, words }: { back: string; button: string; words: Html },
	said = html``,
): Page => ({
	title,
	main: html`${said}<form class="card" method="post" novalidate>
${words}
<p class="actions"><button class="act strong risky" type="submit">${button}</button> <a class="act" href="${back}">Back</a></p>
</form>`,
});

export const hiddenFields = (fields: Readonly<Record<string, string>>) =>
	Object.entries(fields).map(
		([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`,
	);

/** Returns the result of `work`, or, if it throws a Refusal, the page `again` with the reason. */
export async function pageOrRefusal(
	work: () => PageResponse | Promise<PageResponse>,
	again: (said: Html, problems?: Problems) => Page | Promise<Page>,
): Promise<PageResponse> {
	try {
		return await work();
	} catch (error) {
		if (!(error instanceof Refusal)) throw error;
		const { message, problems } = error;
		return { ...(await again(problems ? html`` : refusalNotice(message), problems)), status: 409 };
	}
}

export const actionRoute = (
	path: string,
	back: string,
	act: (request: PageRequest) => Promise<unknown>,
): Route =>
	postRoute(path, (request) =>
		pageOrRefusal(
			async () => {
				await act(request);
				return { seeOther: back };
			},
			(said) => ({
				title: "Nothing was changed",
				main: html`${said}<p class="actions"><a class="act" href="${back}">Back</a></p>`,
			}),
		),
	);
