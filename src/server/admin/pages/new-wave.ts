import { type Html, html } from "../../html.ts";
import type { Settings } from "../../settings.ts";
import { MOST_BYTES } from "../../waves/message.ts";
import type { Acts } from "../acts/acts.ts";
import { confirmWave, showWave } from "../acts/wave-acts.ts";
import type { OfficeRoute } from "../page.ts";
import { sentenceAsHtml } from "../sentence.ts";
import { LETTERS_PATH } from "../today/sections.ts";
import { sayingOf } from "../waves/done.ts";
import { newWaveForm } from "../waves/new-wave-form.ts";
import { planPage } from "../waves/plan-page.ts";
import { readWaveForm } from "../waves/wave-form.ts";
import { NO_MAIL } from "../waves/words.ts";

/** What these pages are made of, besides the database. */
export interface NewWaveParts {
	settings: Pick<Settings, "mail">;
	act: Acts["act"];
}

/** A form escapes each byte of a message as three characters. Its other fields are short. */
const MOST_FORM_BYTES = 3 * MOST_BYTES + 16_384;

const PATH = `${LETTERS_PATH}/new`;

/**
 * A wave from its form, by its dry run, to its letters. Nothing is kept of it before it is confirmed: each
 * page sends the whole form, and a button says which step comes next.
 */
export function newWaveRoutes({ settings: { mail }, act }: NewWaveParts): readonly OfficeRoute[] {
	return [
		{
			method: "GET",
			path: PATH,
			respond: () => ({ title: "New wave", main: mail ? newWaveForm({}, {}) : NO_MAIL }),
		},
		{
			method: "POST",
			path: PATH,
			mostBytes: MOST_FORM_BYTES,
			async respond(asked) {
				const { form } = asked;
				if (!mail) return { title: "New wave", main: NO_MAIL, status: 409 };
				const formAgain = (status: number, problems = {}, why: Html = html``) => ({
					title: "New wave",
					main: html`${why}${newWaveForm(Object.fromEntries(form), problems)}`,
					status,
				});
				const step = form.get("step");
				if (step === "change") return formAgain(200);
				const read = readWaveForm(form);
				if ("problems" in read) return formAgain(422, read.problems);
				const { wave } = read;
				const outcome = await act(asked, async (acting) => {
					if (step !== "send") return { shown: await showWave(acting, wave) };
					return confirmWave(acting, wave, {
						adding: /^\d{1,9}$/.test(form.get("adding") ?? "") ? Number(form.get("adding")) : -1,
						despiteGap: form.get("despite-gap") === "yes",
						imprint: form.get("no-imprint") !== "yes",
					});
				});
				if ("refused" in outcome) return formAgain(409, {}, alarm(outcome.refused));
				if (!outcome.done) return { seeOther: sayingOf("add", wave.asked.name) };
				const { shown, refused } = outcome.done;
				if (refused !== undefined) return { ...planPage(wave, shown, alarm(refused)), status: 409 };
				return planPage(wave, shown, step === "send" ? hasChanged(shown) : html``);
			},
		},
	];
}

const alarm = (why: string) => html`<p class="card alarm" role="alert">${sentenceAsHtml(why)}</p>`;

const hasChanged = ({ letters }: { letters: number }) =>
	html`<p class="card alarm" role="alert"><b>${letters > 0 ? "Nothing more was sent." : "Nothing was sent."}</b> The wave is not what you saw any more: people joined, left, or were written to meanwhile. This is what it is now.</p>`;
