import { type Html, html } from "../../html.ts";
import type { CountedWave } from "../../mail/wave/counted-waves.ts";
import { endAsText, LETTER_ENDS, type LetterEnd } from "../../mail/wave/wave-counts.ts";
import { timeAsHtml } from "../time.ts";
import { figure } from "../today/words.ts";
import { facts, letters as lettersOf } from "./words.ts";

/** News have no codes. */
const ofCodes: readonly LetterEnd[] = ["redeemed", "expired"];

/** One wave with what became of its letters, and what can be done to it. */
export function waveSection(wave: CountedWave): Html {
	const { name, kind, state, size, startsAt, validDays, letters, held } = wave;
	const total = LETTER_ENDS.reduce((sum, end) => sum + letters[end], 0);
	const ends = LETTER_ENDS.filter(
		(end) =>
			letters[end] > 0 || (end !== "cancelled" && (kind !== "news" || !ofCodes.includes(end))),
	);
	const of = size > 0 ? ` of ${figure(size)}` : "";
	const days = validDays > 0 ? ` Codes are good for ${validDays} days.` : "";
	const turn = state === "paused" ? "resume" : "pause";
	const people = html`<a class="act" href="/list?wave=${encodeURIComponent(name)}" aria-label="People of ${name}">People</a>`;
	const acts =
		state === "cancelled"
			? html`<p class="actions">${people}</p>`
			: html`<form class="actions" method="post" action="/letters/${turn}"><button class="act" type="submit" name="wave" value="${name}" aria-label="${turn === "pause" ? "Pause" : "Resume"} ${name}">${turn === "pause" ? "Pause" : "Resume"}</button>
<a class="act" href="/letters/cancel?wave=${encodeURIComponent(name)}" aria-label="Cancel ${name}">Cancel</a> ${people}</form>`;
	return html`<section class="card wave" aria-label="Wave ${name}">
<h3>${name} <span class="mark-here">${state}</span></h3>
<p>${kind === "news" ? "News" : "Invitations"}, ${lettersOf(total)}${of}, from ${timeAsHtml(startsAt)}.${days}</p>
${facts(ends.map((end) => [endAsText(end), figure(letters[end])] as const))}
${held > 0 ? html`<p>Held until <code>waitlist release --held</code>: ${figure(held)} of those that wait.</p>` : html``}
${acts}
</section>
`;
}
