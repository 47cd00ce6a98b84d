import { type Html, html } from "../../html.ts";
import { countUnwanted } from "../../mail/emails/letter-counts.ts";
import { readUnknown, type UnknownPlace } from "../../mail/emails/letters.ts";
import { type Letters, readLetters } from "../../mail/emails/overview.ts";
import { retryLetters } from "../../mail/emails/retry.ts";
import { throttledAsText } from "../../mail/rate/throttle.ts";
import { rampAsText } from "../../mail/rate/warm-up.ts";
import { readCountedWaves } from "../../mail/wave/counted-waves.ts";
import { endAsText } from "../../mail/wave/wave-counts.ts";
import { printableLine } from "../../printable.ts";
import { noteInAudit } from "../../registrations/audit.ts";
import type { Settings } from "../../settings.ts";
import type { OfficeRoute } from "../page.ts";
import { cutPage, pageLinks } from "../paging.ts";
import { timeAsHtml } from "../time.ts";
import { goOn, LETTERS_PATH } from "../today/sections.ts";
import { figure, nothing } from "../today/words.ts";
import { doneAsHtml, saying } from "../waves/done.ts";
import { waveSection } from "../waves/wave-section.ts";
import { facts, letters as lettersOf, NO_MAIL, pauseAsHtml } from "../waves/words.ts";

/** What these pages are made of, besides the database. */
export interface LettersParts {
	settings: Pick<Settings, "mail">;
}

const UNKNOWN_PATH = `${LETTERS_PATH}/unknown`;

/** Rows on one page of unknown letters. */
const PAGE = 100;

/** Letters and waves in numbers, and the letters of which nobody knows whether they arrived. */
export function lettersRoutes({ settings: { mail } }: LettersParts): readonly OfficeRoute[] {
	return [
		{
			method: "GET",
			path: LETTERS_PATH,
			async respond({ database, now, search }) {
				const { query } = database;
				const letters = await readLetters(query, mail, now);
				const waves = await readCountedWaves(query, now);
				return {
					title: "Letters",
					main: html`${mail ? html`<p class="fresh"><a class="act strong" href="${LETTERS_PATH}/new">New wave</a></p>` : NO_MAIL}
${doneAsHtml(search, waves)}
${stateSection(letters)}
${letters.letters.length === 0 ? html`` : countsSection(letters)}
${letters.troubled.length === 0 ? html`` : troubledSection(letters.troubled)}
<h2>Waves</h2>
${waves.length === 0 ? NO_WAVE : waves.reverse().map(waveSection)}`,
				};
			},
		},
		{
			method: "GET",
			path: UNKNOWN_PATH,
			async respond({ database, search }) {
				const after = placeIn(search);
				const { rows, last } = cutPage(await readUnknown(database.query, after, PAGE + 1), PAGE);
				const unwanted = await countUnwanted(database.query);
				return {
					title: "Unknown letters",
					main: html`${doneAsHtml(search)}<p class="lead">The connection broke after these letters were handed over, so nobody knows whether they arrived. Sent again, some people may get theirs twice.</p>
${unwanted > 0 ? html`<p>${lettersOf(unwanted)} ${unwanted === 1 ? "is" : "are"} never sent again, because the people left, bounced or confirmed.</p>` : html``}
${rows.length === 0 ? html`${nothing(`No letter is unknown${after ? " after that" : ""}.`, html`There is nothing to decide.`)}` : unknownForm(rows)}
${pageLinks([
	after ? { href: UNKNOWN_PATH, name: "First" } : { href: LETTERS_PATH, name: "Letters" },
	last && { href: `${UNKNOWN_PATH}?${placeAsSearch(last)}`, name: "Next" },
])}`,
				};
			},
		},
		{
			method: "POST",
			path: UNKNOWN_PATH,
			mostBytes: PAGE * 1000,
			async respond({ database, form, now, session }) {
				const isAll = form.get("all") === "yes";
				const keys = isAll ? undefined : form.getAll("key").slice(0, PAGE);
				const details = isAll ? "all" : `${keys!.length} chosen`;
				const action = "unknown letters sent again";
				const note = noteInAudit({ session: session.id, action, details }, now);
				if (keys?.length === 0) return { seeOther: saying("none-chosen", UNKNOWN_PATH) };
				await database.transact(retryLetters, { keys, now, also: [note] });
				return { seeOther: saying("again", UNKNOWN_PATH) };
			},
		},
	];
}

const NO_WAVE = nothing(
	"There is no wave yet.",
	html`A wave invites some of the list, or brings all of them news. “New wave” shows whom it reaches before anything is sent.`,
);

function stateSection({ held, waiting, pause, slowed, ramp }: Letters): Html {
	const { letters, oldest, lastAt } = waiting;
	const rows: [string, string | Html][] = [["Waiting", figure(letters)]];
	if (oldest) rows.push(["The oldest was asked for", timeAsHtml(oldest)]);
	if (lastAt) rows.push(["The last one goes out", timeAsHtml(lastAt)]);
	if (held > 0)
		rows.push(["Held by hand", html`${figure(held)}, until <code>waitlist release --held</code>`]);
	const clear =
		pause || slowed.length > 0 ? html`` : html`<p class="well">Nothing stops letters.</p>`;
	return html`<section class="card state" aria-label="State">
${pause ? pauseAsHtml(pause) : html``}
${slowed.map((stream) => html`<p class="alarm">${throttledAsText(stream)}</p>`)}
${pause || slowed.length > 0 ? goOn(pause !== null, LETTERS_PATH) : html``}${clear}
${facts(rows)}
${ramp ? html`<p>${rampAsText(ramp)}</p>` : html``}
</section>`;
}

function countsSection({ letters }: Letters): Html {
	const rows = letters.map(({ kind, state, count }) => {
		const unknown = html` <a href="${UNKNOWN_PATH}">Decide</a>`;
		return html`<tr><th scope="row">${kind}</th><td>${endAsText(state)}${state === "unknown" ? unknown : html``}</td><td class="number">${figure(count)}</td></tr>`;
	});
	return html`<h2 id="states">By kind and state</h2>
<div class="card"><table aria-labelledby="states">
<thead><tr><th scope="col">Kind</th><th scope="col">State</th><th scope="col" class="number">Letters</th></tr></thead>
<tbody>${rows}</tbody></table></div>`;
}

function troubledSection(troubled: Letters["troubled"]): Html {
	const rows = troubled.map(
		({ email, kind, state, code, attempts, time }) => html`<tr>
<th scope="row">${printableLine(email)}</th><td data-name="Kind">${kind}</td>
<td data-name="Answer">${printableLine(code)}</td><td data-name="Tries">${figure(attempts)}</td>
<td data-name="${state === "deferred" ? "Tried again" : "Given up"}" class="wide">${state === "deferred" ? "Tried again" : "Given up"} ${timeAsHtml(time)}</td></tr>`,
	);
	return html`<h2 id="troubled">Put off, or given up</h2>
<div class="card sheet"><table aria-labelledby="troubled">
<thead><tr><th scope="col">Address</th><th scope="col">Kind</th><th scope="col">Answer</th><th scope="col">Tries</th><th scope="col">Next</th></tr></thead>
<tbody>${rows}</tbody></table></div>`;
}

function unknownForm(unknown: Awaited<ReturnType<typeof readUnknown>>): Html {
	const rows = unknown.map(
		({ email, kind, time, key }) => html`<tr>
<th scope="row"><label class="pick"><input type="checkbox" name="key" value="${key}"> ${printableLine(email)}</label></th>
<td data-name="Kind">${kind}</td><td data-name="Last heard of">${timeAsHtml(time)}</td></tr>`,
	);
	return html`<form method="post" action="${UNKNOWN_PATH}">
<div class="card sheet"><table>
<thead><tr><th scope="col">Address</th><th scope="col">Kind</th><th scope="col">Last heard of</th></tr></thead>
<tbody>${rows}</tbody></table></div>
<p class="actions"><button class="act strong" type="submit">Send the chosen ones again</button>
<button class="act" type="submit" name="all" value="yes">Send all again</button></p>
</form>`;
}

function placeAsSearch({ time, recipient, kind }: UnknownPlace): string {
	return new URLSearchParams({ time, recipient, kind }).toString();
}

/** The place that an address names; undefined where it names none. */
function placeIn(search: URLSearchParams): UnknownPlace | undefined {
	const [time = "", recipient = "", kind = ""] = ["time", "recipient", "kind"].map(
		(name) => search.get(name) ?? "",
	);
	return time && kind ? { time, recipient, kind } : undefined;
}
