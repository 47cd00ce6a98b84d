import { type CountedWave, readCountedWaves } from "../../mail/waves.ts";
import { formatCount } from "../../text/format-number.ts";
import { type Html, html } from "../../text/html.ts";
import { changeWave, describeWave } from "../../waves/change-wave.ts";
import {
	actionRoute,
	confirmForm,
	emptyCard,
	factList,
	hiddenFields,
	NO_MAIL_CARD,
	peoplePath,
	timeAsHtml,
} from "../parts.ts";
import { getRoute, type Route } from "../responses.ts";

export const WAVES_PATH = "/waves";

export const waveRoutes: readonly Route[] = [
	getRoute(WAVES_PATH, async ({ database, settings: { mail }, now }) => {
		const waves = await readCountedWaves(database, now);
		return {
			title: "Waves",
			main: html`${mail ? html`<p class="fresh"><a class="act strong" href="${WAVES_PATH}/new">New wave</a></p>` : NO_MAIL_CARD}
${waves.length === 0 ? NO_WAVE : waves.reverse().map((wave) => waveCard(wave, now))}`,
		};
	}),
	...(["pause", "resume", "cancel"] as const).map((action) =>
		actionRoute(`${WAVES_PATH}/${action}`, WAVES_PATH, (request) =>
			changeWave(request, request.form.get("wave") ?? "", action),
		),
	),
	getRoute(`${WAVES_PATH}/cancel`, async ({ database, now, search }) => {
		const name = search.get("wave") ?? "";
		const waves = await readCountedWaves(database, now);
		const wave = waves.find((wave) => wave.name === name);
		if (!wave) return { title: "Waves", status: 404, main: html`<p>Wave not found.</p>` };
		const { waiting, accepted } = wave.emails;
		return confirmForm(`Cancel ${name}?`, {
			back: WAVES_PATH,
			button: "Cancel this wave",
			words: html`${hiddenFields({ wave: name })}<ul class="points"><li><b>${formatCount(waiting, "email")}</b> still waiting will not be sent.</li>
${wave.kind === "invitation" ? html`<li><b>${formatCount(accepted, "code")}</b> already sent will stop working.</li>` : html``}</ul>
<p>This cannot be undone.</p>`,
		});
	}),
];

const NO_WAVE = emptyCard(
	"No waves yet.",
	"A wave invites people from the list, or sends them news. “New wave” shows who gets an email before anything is sent.",
);

function waveCard(wave: CountedWave, now: Date): Html {
	const { name, kind, startsAt } = wave;
	const { state, emails, codes, ends } = describeWave(wave);
	const [verb, label] = state === "paused" ? ["resume", "Resume"] : ["pause", "Pause"];
	const people = html`<a class="act" href="${peoplePath({ wave: name })}" aria-label="People of ${name}">People</a>`;
	const change = html`<button class="act" type="submit" name="wave" value="${name}" aria-label="${label} ${name}">${label}</button>
${people}
<a class="act risky" href="${WAVES_PATH}/cancel?wave=${encodeURIComponent(name)}" aria-label="Cancel ${name}">Cancel…</a>`;
	return html`<section class="card wave" aria-label="Wave ${name}">
<h2>${name} <span class="mark-here">${state}</span></h2>
<p>${kind === "news" ? "News" : "Invitations"}, ${emails}, from ${timeAsHtml(startsAt, now)}${codes}.</p>
${factList(ends)}
<form class="actions" method="post" action="${WAVES_PATH}/${verb}">${state === "canceled" ? people : change}</form>
</section>
`;
}
