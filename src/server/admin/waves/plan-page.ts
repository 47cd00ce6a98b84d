import { type Html, html } from "../../html.ts";
import { despiteGapAsText } from "../../mail/emails/gaps.ts";
import { printableLine } from "../../printable.ts";
import { DAY_MS } from "../../time.ts";
import { missingImprint } from "../../waves/imprint.ts";
import type { ShownPlan } from "../acts/wave-acts.ts";
import type { Page } from "../page.ts";
import { sentenceAsHtml } from "../sentence.ts";
import { timeAsHtml } from "../time.ts";
import { counted, figure, nothing } from "../today/words.ts";
import type { WrittenWave } from "./wave-form.ts";
import { facts, letters as lettersOf, openPoints, pauseAsHtml } from "./words.ts";

/**
 * The dry run of a wave, with its letter, and the form that confirms what is shown.
 *
 * @param notice why the page is shown once more
 */
export function planPage(written: WrittenWave, plan: ShownPlan, notice: Html): Page {
	const { wave, adding, gap, letter, open, pause } = plan;
	const hidden = Object.entries({
		...written.fields,
		seed: written.seed ?? "",
		adding: `${adding}`,
	}).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`);
	const edit = html`<button class="act" type="submit" name="step" value="change">Change it</button>`;
	return {
		title: wave.name,
		letter: true,
		main: html`${notice}
<p class="lead">Nothing is sent yet. ${leadAsText(written, plan)}</p>
<div class="plan">
<div>
<section class="card" aria-labelledby="who"><h2 id="who">Who gets one</h2>
${whoAsHtml(plan)}
</section>
<section class="card" aria-labelledby="when"><h2 id="when">When</h2>
${wave.state === "paused" ? html`<p class="alarm">This wave is paused: no letter of it goes out before it is resumed.</p>` : html``}
${pause ? pauseAsHtml(pause) : html``}
${whenAsHtml(plan)}
</section>
${openPoints(open)}
</div>
<section class="card shown" aria-labelledby="letter"><h2 id="letter">The letter</h2>
<p><span class="figure-name">Subject</span> ${printableLine(letter.subject)}</p>
<iframe sandbox srcdoc="${plan.html}" title="The letter as people get it"></iframe>
<details><summary>As plain text</summary><pre>${letter.text}</pre></details>
</section>
</div>
<form class="confirm" method="post">${hidden}
${adding === 0 ? nothing("Nobody would get a letter.", html`There is nothing to send. Change it to reach more people.`) : boxes()}
<p class="actions">${adding === 0 ? html`` : html`<button class="act strong" type="submit" name="step" value="send">Send ${lettersOf(adding)}</button>`} ${edit}</p></form>`,
	};

	function boxes(): Html {
		const missing = missingImprint(open);
		const despite = gap
			? html`<label class="pick"><input type="checkbox" name="despite-gap" value="yes"> ${sentenceAsHtml(despiteGapAsText(gap))} Send all the same: some may get a second letter.</label>`
			: html``;
		const without =
			missing.length > 0
				? html`<label class="pick"><input type="checkbox" name="no-imprint" value="yes"> The letters would not say who writes (${missing.map(({ name }) => name).join(", ")}), as the law of many countries asks. Send all the same.</label>`
				: html``;
		return html`${despite}${without}`;
	}
}

/** Who is about to get what, in a sentence or two. */
function leadAsText({ asked, seed }: WrittenWave, { adding, letters }: ShownPlan): string {
	const has = letters > 0 ? ` The wave has ${lettersOf(letters)} already.` : "";
	const whom = letters > 0 ? `${figure(adding)} more` : counted(adding, "person", "people");
	if (asked.kind === "news") return `News to ${whom}.${has}`;
	const order = seed === undefined ? "those who joined first" : `by chance, with the seed ${seed}`;
	return `Invitations to ${whom}, ${order}.${has}`;
}

function whoAsHtml(plan: ShownPlan): Html {
	return facts([
		["Selected", figure(plan.selected)],
		["Eligible", figure(plan.eligible)],
		["Left", figure(plan.left)],
		["Bounced", figure(plan.bounced)],
		["Flagged", figure(plan.flagged)],
		["In a burst", figure(plan.burst)],
		["Had one before", figure(plan.had)],
		["Not confirmed", figure(plan.unconfirmed)],
	]);
}

function whenAsHtml({ wave, waiting, takesMs }: ShownPlan): Html {
	return facts([
		["Not before", timeAsHtml(wave.startsAt)],
		["Letters that wait already", figure(waiting.letters)],
		...(waiting.lastAt ? ([["The last of these", timeAsHtml(waiting.lastAt)]] as const) : []),
		[
			"With this wave the last one is out",
			takesMs > 0
				? `${durationAsText(takesMs)} later, at today’s rate`
				: "as fast as the server takes them",
		],
		...(wave.validDays > 0 ? ([["A code is good for", `${wave.validDays} days`]] as const) : []),
	]);
}

/** `about 5 hours`. */
function durationAsText(ms: number): string {
	const [unit, unitMs] = (
		[
			["days", DAY_MS],
			["hours", 3_600_000],
		] as const
	).find(([, size]) => ms >= 2 * size) ?? ["minutes", 60_000];
	const count = Math.ceil(ms / unitMs);
	return `about ${figure(count)} ${count === 1 ? unit.slice(0, -1) : unit}`;
}
