import type { Finding } from "../../database/database.ts";
import { type Html, html } from "../../html.ts";
import { despiteGapAsText } from "../../mail/emails/gaps.ts";
import { printableLine } from "../../printable.ts";
import { DAY_MS } from "../../time.ts";
import type { writeExampleOf } from "../../waves/example-email.ts";
import { missingImprint } from "../../waves/imprint.ts";
import type { Plan } from "../../waves/plan-wave.ts";
import type { Page } from "../page.ts";
import { card, counted, facts, figure, nothing, sentenceAsHtml, timeAsHtml } from "../parts.ts";
import { pauseAsHtml } from "./emails.ts";
import type { WrittenWave } from "./wave-form.ts";

/** A wave before it is confirmed. */
export interface ShownPlan extends Plan {
	/** What is missing before a wave. */
	open: Finding[];
	example: ReturnType<typeof writeExampleOf>;
}

/**
 * The plan of a wave with its email, and the form that confirms it.
 *
 * @param said why the page is shown again
 */
export function planPage(written: WrittenWave, plan: ShownPlan, said: Html): Page {
	const { wave, adding, example } = plan;
	const hidden = Object.entries({
		...written.fields,
		seed: written.seed ?? "",
		adding: `${adding}`,
	}).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`);
	return {
		title: wave.name,
		hasEmail: true,
		main: html`${said}
<p class="lead">Nothing is sent yet. ${leadAsText(written, plan)}</p>
<div class="plan">
<div>
${card("who", "Who gets one", whoAsHtml(plan))}
${card("when", "When", whenAsHtml(plan))}
${openPoints(plan.open)}
</div>
<section class="card shown" aria-labelledby="email"><h2 id="email">The email</h2>
<p><span class="figure-name">Subject</span> ${printableLine(example.subject)}</p>
<iframe sandbox srcdoc="${example.html}" title="The email as people get it"></iframe>
<details><summary>As plain text</summary><pre>${example.text}</pre></details>
<form class="find" method="post">${hidden}
<label><span>Send a test to</span><input name="to" type="email" required autocomplete="email"></label>
<button class="act" type="submit" name="step" value="test">Send a test</button></form>
</section>
</div>
<form class="confirm" method="post">${hidden}
${adding === 0 ? nothing("Nobody would get an email.", "Change it to reach more people.") : boxes(plan)}
<p class="actions">${adding === 0 ? html`` : html`<button class="act strong" type="submit" name="step" value="send">Send ${counted(adding, "email")}</button>`} <button class="act" type="submit" name="step" value="change">Change it</button></p></form>`,
	};
}

/** Boxes to tick where the wave would otherwise be refused. */
function boxes({ gap, open }: ShownPlan): Html {
	const missing = missingImprint(open).map(({ name }) => name);
	const box = (name: string, words: Html) =>
		html`<label class="pick"><input type="checkbox" name="${name}" value="yes"> ${words}</label>`;
	const despite = gap
		? box(
				"despite-gap",
				html`${sentenceAsHtml(despiteGapAsText(gap))} Send anyway: some people may get a second email.`,
			)
		: html``;
	const without =
		missing.length > 0
			? box(
					"no-imprint",
					html`The emails would not name their sender (${missing.join(", ")}), which many countries require by law. Send anyway.`,
				)
			: html``;
	return html`${despite}${without}`;
}

function leadAsText({ asked, seed }: WrittenWave, { adding, letters }: ShownPlan): string {
	const has = letters > 0 ? ` The wave has ${counted(letters, "email")} already.` : "";
	const whom = letters > 0 ? `${figure(adding)} more` : counted(adding, "person", "people");
	if (asked.kind === "news") return `News to ${whom}.${has}`;
	const order =
		seed === undefined ? "those who joined first" : `in random order, with the seed ${seed}`;
	return `Invitations to ${whom}, ${order}.${has}`;
}

const whoAsHtml = (plan: ShownPlan) =>
	facts([
		["Selected", figure(plan.selected)],
		["Eligible", figure(plan.eligible)],
		["Unsubscribed", figure(plan.left)],
		["Bounced", figure(plan.bounced)],
		["Flagged", figure(plan.flagged)],
		["In a burst", figure(plan.burst)],
		["Had one before", figure(plan.had)],
		["Not confirmed", figure(plan.unconfirmed)],
	]);

function whenAsHtml({ wave, waiting, takesMs, pause }: ShownPlan): Html {
	const rows: [string, string | Html][] = [
		["Not before", timeAsHtml(wave.startsAt)],
		["Emails already waiting", figure(waiting.letters)],
	];
	if (waiting.lastAt) rows.push(["The last of these", timeAsHtml(waiting.lastAt)]);
	const rate =
		takesMs > 0
			? `${durationAsText(takesMs)} later, at today’s rate`
			: "as fast as the server accepts them";
	rows.push(["The last of this wave", rate]);
	if (wave.validDays > 0) rows.push(["Codes are valid for", `${wave.validDays} days`]);
	return html`${wave.state === "paused" ? html`<p class="alarm">This wave is paused: nothing is sent before you resume it.</p>` : html``}
${pause ? pauseAsHtml(pause) : html``}
${facts(rows)}`;
}

/** `about 5 hours` */
function durationAsText(ms: number): string {
	const units = [
		["days", DAY_MS],
		["hours", 3_600_000],
	] as const;
	const [unit, unitMs] = units.find(([, size]) => ms >= 2 * size) ?? (["minutes", 60_000] as const);
	const count = Math.ceil(ms / unitMs);
	return `about ${figure(count)} ${count === 1 ? unit.slice(0, -1) : unit}`;
}

function openPoints(open: readonly Finding[]): Html {
	if (open.length === 0) return html``;
	const points = open.map(
		({ name, found }) => html`<li><b>${name}:</b> ${sentenceAsHtml(found)}</li>`,
	);
	return card("open", "Before you send", html`<ul class="points">${points}</ul>`);
}
