import { findWave } from "../../letters/wave/waves.ts";
import type { Settings } from "../../settings.ts";
import { waveOf } from "../../waves/add-wave.ts";
import { writeExampleOf } from "../../waves/example-letter.ts";
import { MOST_BYTES } from "../../waves/message.ts";
import type { Acts } from "../acts/acts.ts";
import { confirmWave, showDraft } from "../acts/wave-acts.ts";
import type { Answer, Asked, OfficeRoute } from "../routes.ts";
import { LETTERS_PATH } from "../today/sections.ts";
import { sayingOf } from "../waves/done.ts";
import { type Draft, findDraft, keepDraft } from "../waves/drafts.ts";
import { newWaveForm } from "../waves/new-wave-form.ts";
import { planPage } from "../waves/plan-page.ts";
import { readWaveForm } from "../waves/wave-form.ts";
import { NO_MAIL } from "../waves/words.ts";
import { notDone } from "./waves.ts";

/** What these pages are made of, besides the database. */
export interface NewWaveParts {
	settings: Pick<Settings, "mail">;
	act: Acts["act"];
}

/** A form escapes each byte of a message as three characters. Its other fields are short. */
const MOST_FORM_BYTES = 3 * MOST_BYTES + 16_384;

const PATH = `${LETTERS_PATH}/new`;

/** A wave from its form, by its dry run, to its letters. */
export function newWaveRoutes({ settings: { mail }, act }: NewWaveParts): readonly OfficeRoute[] {
	/** Responds with a draft of this session. */
	const withDraft =
		(respond: (draft: Draft, asked: Asked) => Promise<Answer>) =>
		async (asked: Asked): Promise<Answer> => {
			const { database, parts, session } = asked;
			const draft = await findDraft(database.query, parts.id!, session);
			if (draft) return respond(draft, asked);
			const why = "There is no such draft in this session. It may be older than a day.";
			return notDone(why, { status: 404 });
		};

	return [
		{
			method: "GET",
			path: PATH,
			async respond({ database, search, session }) {
				if (!mail) return { title: "New wave", main: NO_MAIL };
				const draft = await findDraft(database.query, search.get("from") ?? "", session);
				return { title: "New wave", main: newWaveForm(draft?.fields ?? {}, {}) };
			},
		},
		{
			method: "POST",
			path: PATH,
			mostBytes: MOST_FORM_BYTES,
			async respond({ database, form, now, session }) {
				if (!mail) return { title: "New wave", main: NO_MAIL, status: 409 };
				const read = readWaveForm(form);
				if ("problems" in read) {
					const main = newWaveForm(Object.fromEntries(form), read.problems);
					return { title: "New wave", main, status: 422 };
				}
				return { seeOther: `${PATH}/${await keepDraft(database, read.wave, { session, now })}` };
			},
		},
		{
			method: "GET",
			path: `${PATH}/:id`,
			respond: withDraft(async (draft, asked) => {
				const planned = await act(asked, (acting) => showDraft(acting, draft));
				if ("refused" in planned) {
					const to = { path: `${PATH}?from=${draft.id}`, name: "Change it" };
					return notDone(planned.refused, { to });
				}
				const changed = asked.search.has("changed");
				return planPage(draft, planned.done.shown, { path: PATH, changed });
			}),
		},
		{
			method: "GET",
			path: `${PATH}/:id/letter`,
			respond: withDraft(async (draft, { database }) => {
				if (!mail) return { title: "New wave", main: NO_MAIL, status: 409 };
				const there = await findWave(database.query, draft.asked.name);
				const madeAt = new Date(draft.madeAt);
				const wave = waveOf(draft.asked, there, madeAt);
				return { letter: writeExampleOf(wave, mail, madeAt).html };
			}),
		},
		{
			method: "POST",
			path: `${PATH}/:id`,
			respond: withDraft(async (draft, asked) => {
				const { form } = asked;
				const confirmed = {
					seen: form.get("seen") ?? "",
					despiteGap: form.get("despite-gap") === "yes",
					imprint: form.get("no-imprint") !== "yes",
				};
				const outcome = await act(asked, (acting) => confirmWave(acting, draft, confirmed));
				const path = `${PATH}/${draft.id}`;
				if ("refused" in outcome) {
					return notDone(outcome.refused, { to: { path, name: "Go back" } });
				}
				if (!outcome.done) return { seeOther: `${path}?changed` };
				return { seeOther: sayingOf("add", draft.asked.name) };
			}),
		},
	];
}
