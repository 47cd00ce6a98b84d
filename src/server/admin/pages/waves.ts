import { type Html, html } from "../../html.ts";
import { readCountedWaves } from "../../mail/wave/counted-waves.ts";
import { changes, changeWave } from "../../waves/change-wave.ts";
import type { Acts } from "../acts/acts.ts";
import type { Answer, Asked, OfficeRoute } from "../page.ts";
import { sentenceAsHtml } from "../sentence.ts";
import { LETTERS_PATH } from "../today/sections.ts";
import { sayingOf } from "../waves/done.ts";
import { letters as lettersOf } from "../waves/words.ts";

/** What can be done to a wave that goes out, and the note of it. */
const noted = { pause: "wave paused", resume: "wave resumed", cancel: "wave cancelled" } as const;

type ChangeVerb = keyof typeof noted;

/** Buttons that pause a wave, let it go on, and end it after a second question. */
export function waveRoutes({ act }: Pick<Acts, "act">): readonly OfficeRoute[] {
	const change =
		(verb: ChangeVerb) =>
		async (asked: Asked): Promise<Answer> => {
			const { form } = asked;
			const wave = form.get("wave") ?? "";
			// The page that asks names the wave that it showed.
			if (verb === "cancel" && form.get("sure") !== "yes") {
				return { seeOther: `${LETTERS_PATH}/cancel?wave=${encodeURIComponent(wave)}` };
			}
			const done = await act(asked, (acting) =>
				changeWave(acting, wave, changes[verb], acting.note(noted[verb], wave)),
			);
			return "refused" in done ? notDone(done.refused) : { seeOther: sayingOf(verb, wave) };
		};
	return [
		...(Object.keys(noted) as ChangeVerb[]).map(
			(verb): OfficeRoute => ({
				method: "POST",
				path: `${LETTERS_PATH}/${verb}`,
				respond: change(verb),
			}),
		),
		{
			method: "GET",
			path: `${LETTERS_PATH}/cancel`,
			async respond({ database, now, search }) {
				const name = search.get("wave") ?? "";
				const all = await readCountedWaves(database.query, now);
				const wave = all.find((wave) => wave.name === name);
				if (!wave) return notDone("There is no such wave.", 404);
				if (wave.state === "cancelled") return notDone(`The wave ${name} was cancelled before.`);
				const { waiting, accepted } = wave.letters;
				const codes = wave.kind === "invitation" && accepted > 0 ? codesAsHtml(accepted) : html``;
				return {
					title: `Cancel ${name}?`,
					main: html`<p class="lead">This cannot be taken back.</p>
<ul class="card points"><li>${waiting > 0 ? html`<b>${lettersOf(waiting)}</b> not sent yet: nobody gets ${waiting === 1 ? "it" : "them"} any more.` : "No letter waits."}</li>${codes}</ul>
<form class="actions" method="post" action="${LETTERS_PATH}/cancel"><input type="hidden" name="sure" value="yes">
<button class="act strong" type="submit" name="wave" value="${name}">Cancel this wave for good</button>
<a class="act" href="${LETTERS_PATH}">Keep it</a></form>`,
				};
			},
		},
	];
}

function codesAsHtml(accepted: number): Html {
	return html`<li><b>${lettersOf(accepted)}</b> people have: their codes become worthless.</li>`;
}

/** Says why nothing was done, and where to go on. */
function notDone(why: string, status = 409): Answer {
	return {
		title: "That was not done",
		status,
		main: html`<p class="card notice">${sentenceAsHtml(why)}</p><p class="actions"><a class="act" href="${LETTERS_PATH}">Letters</a></p>`,
	};
}
