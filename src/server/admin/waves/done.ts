import { type Html, html } from "../../html.ts";
import type { WaveState } from "../../mail/wave/wave.ts";
import { LETTERS_PATH } from "../today/sections.ts";

/** What was done to a wave, as the next page says it of its name. */
const TO_WAVE = {
	pause: "is paused. What waits of it stays here until you resume it.",
	resume: "goes on. Its letters go out as the rate allows.",
	cancel: "is cancelled. What waited of it is taken back.",
	add: "is on its way. Its letters go out as the rate allows.",
} as const;

/** What was done to letters. */
const TO_LETTERS = {
	"go-on": "The pause has ended: letters go out as the rate allows.",
	again: "They are sent again, as the rate allows.",
	"none-chosen": "No letter was chosen, so none is sent again.",
} as const;

/** Where a page says what was done. An address names a sentence, and no text of its own. */
export const saying = (did: keyof typeof TO_LETTERS, path: string) => `${path}?did=${did}`;

/** The same of a wave. */
export const sayingOf = (did: keyof typeof TO_WAVE, wave: string) =>
	`${LETTERS_PATH}?${new URLSearchParams({ did, wave })}`;

/** In which state a wave is after that: a page that is opened later says nothing that is over. */
const AFTER: Readonly<Record<keyof typeof TO_WAVE, WaveState>> = {
	pause: "paused",
	resume: "open",
	cancel: "cancelled",
	add: "open",
};

/** Says what was done, where an address names something; nothing otherwise. */
export function doneAsHtml(
	search: URLSearchParams,
	waves: readonly { name: string; state: WaveState }[] = [],
): Html {
	const did = search.get("did") ?? "";
	if (Object.hasOwn(TO_LETTERS, did)) return notice(html`${TO_LETTERS[did as "again"]}`);
	const wave = waves.find(({ name }) => name === search.get("wave"));
	if (!wave || !Object.hasOwn(TO_WAVE, did)) return html``;
	const verb = did as keyof typeof TO_WAVE;
	if (wave.state !== AFTER[verb]) return html``;
	return notice(html`<b>${wave.name}</b> ${TO_WAVE[verb]}`);
}

const notice = (words: Html) => html`<p class="card notice" role="status">${words}</p>`;
