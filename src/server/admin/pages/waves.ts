import {
	type CountedWave,
	EMAIL_ENDS,
	type EmailEnd,
	endAsText,
	readCountedWaves,
} from "../../mail/wave/wave-counts.ts";
import { type Html, html } from "../../text/html.ts";
import { changes, changeWave } from "../../waves/change-wave.ts";
import type { Page, Route } from "../page.ts";
import {
	attempt,
	counted,
	facts,
	figure,
	nothing,
	notice,
	sentenceAsHtml,
	timeAsHtml,
} from "../parts.ts";
import { NO_MAIL } from "./emails.ts";
import { listAt } from "./people-filter.ts";

export const WAVES_PATH = "/waves";

type Action = keyof typeof changes;

/** Notices after a button, following the name of the wave. */
const SAID: Readonly<Record<Action | "add", string>> = {
	pause: "is paused. Its waiting emails stay here until you resume it.",
	resume: "is resumed. Its emails go out as the sending rate allows.",
	cancel: "is canceled. Its waiting emails are withdrawn.",
	add: "is on its way. Its emails go out as the sending rate allows.",
};

/** The path that shows the notice. */
export const doneAt = (did: Action | "add", wave: string) =>
	`${WAVES_PATH}?${new URLSearchParams({ did, wave })}`;

const changeRoute = (action: Action): Route => ({
	method: "POST",
	path: `${WAVES_PATH}/${action}`,
	async respond(request) {
		const { form } = request;
		const wave = form.get("wave") ?? "";
		// The page that asks names the wave that it showed.
		if (action === "cancel" && form.get("sure") !== "yes") {
			return { seeOther: `${WAVES_PATH}/cancel?wave=${encodeURIComponent(wave)}` };
		}
		const also = request.note(changes[action].noted, wave);
		const outcome = await attempt(() => changeWave(request, wave, changes[action], also));
		return "refused" in outcome ? notDone(outcome.refused) : { seeOther: doneAt(action, wave) };
	},
});

export const waveRoutes: readonly Route[] = [
	{
		method: "GET",
		path: WAVES_PATH,
		async respond({ database, settings: { mail }, now, search }) {
			const waves = await readCountedWaves(database, now);
			return {
				title: "Waves",
				main: html`${mail ? html`<p class="fresh"><a class="act strong" href="${WAVES_PATH}/new">New wave</a></p>` : NO_MAIL}
${doneAsHtml(search, waves)}
${waves.length === 0 ? nothing("There is no wave yet.", "A wave invites people from the list, or sends news to all of them. “New wave” shows who gets an email before anything is sent.") : waves.reverse().map(waveCard)}`,
			};
		},
	},
	changeRoute("pause"),
	changeRoute("resume"),
	changeRoute("cancel"),
	{
		method: "GET",
		path: `${WAVES_PATH}/cancel`,
		async respond({ database, now, search }) {
			const name = search.get("wave") ?? "";
			const waves = await readCountedWaves(database, now);
			const wave = waves.find((wave) => wave.name === name);
			if (!wave) return notDone("There is no such wave.", 404);
			if (wave.state === "cancelled") return notDone(`The wave ${name} is canceled already.`);
			const { waiting, accepted } = wave.letters;
			const codes =
				wave.kind === "invitation" && accepted > 0
					? html`<li><b>${counted(accepted, "code")}</b> that people have already can no longer be redeemed.</li>`
					: html``;
			return {
				title: `Cancel ${name}?`,
				main: html`<p class="lead">This cannot be undone.</p>
<ul class="card points"><li>${waiting > 0 ? html`<b>${counted(waiting, "email")}</b> not sent yet will not be sent.` : "No email is waiting."}</li>${codes}</ul>
<form class="actions" method="post" action="${WAVES_PATH}/cancel"><input type="hidden" name="sure" value="yes">
<button class="act strong" type="submit" name="wave" value="${name}">Cancel this wave</button>
<a class="act" href="${WAVES_PATH}">Keep it</a></form>`,
			};
		},
	},
];

/** Says what was done, if the address names it and it still holds. */
function doneAsHtml(search: URLSearchParams, waves: readonly CountedWave[]): Html {
	const did = search.get("did") ?? "";
	const wave = waves.find(({ name }) => name === search.get("wave"));
	if (!wave || !Object.hasOwn(SAID, did)) return html``;
	const after = did === "add" ? "open" : changes[did as Action].state;
	return wave.state === after ? notice(html`<b>${wave.name}</b> ${SAID[did as Action]}`) : html``;
}

const notDone = (why: string, status = 409): Page => ({
	title: "Not done",
	status,
	main: html`<p class="card notice">${sentenceAsHtml(why)}</p><p class="actions"><a class="act" href="${WAVES_PATH}">Waves</a></p>`,
});

/** News have no codes. */
const ENDS_OF_CODES: readonly EmailEnd[] = ["redeemed", "expired"];

/** A wave with the outcome of its emails, and its buttons. */
function waveCard({
	name,
	kind,
	state,
	size,
	startsAt,
	validDays,
	letters,
	held,
}: CountedWave): Html {
	const total = EMAIL_ENDS.reduce((sum, end) => sum + letters[end], 0);
	const ends = EMAIL_ENDS.filter(
		(end) =>
			letters[end] > 0 ||
			(end !== "cancelled" && (kind !== "news" || !ENDS_OF_CODES.includes(end))),
	);
	const isNews = kind === "news";
	const of = size > 0 ? ` of ${figure(size)}` : "";
	const days = validDays > 0 ? ` Codes are valid for ${validDays} days.` : "";
	const people = html`<a class="act" href="${listAt({ wave: name })}" aria-label="People of ${name}">People</a>`;
	const [verb, label] = state === "paused" ? ["resume", "Resume"] : ["pause", "Pause"];
	const actions =
		state === "cancelled"
			? html`<p class="actions">${people}</p>`
			: html`<form class="actions" method="post" action="${WAVES_PATH}/${verb!}"><button class="act" type="submit" name="wave" value="${name}" aria-label="${label!} ${name}">${label!}</button>
<a class="act" href="${WAVES_PATH}/cancel?wave=${encodeURIComponent(name)}" aria-label="Cancel ${name}">Cancel</a> ${people}</form>`;
	return html`<section class="card wave" aria-label="Wave ${name}">
<h2>${name} <span class="mark-here">${state === "cancelled" ? "canceled" : state}</span></h2>
<p>${isNews ? "News" : "Invitations"}, ${counted(total, "email")}${of}, from ${timeAsHtml(startsAt)}.${days}</p>
${facts(ends.map((end) => [endAsText(end), figure(letters[end])] as const))}
${held > 0 ? html`<p>${counted(held, "waiting email is", "waiting emails are")} held until <code>waitlist resume</code>.</p>` : html``}
${actions}
</section>
`;
}
