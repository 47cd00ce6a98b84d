import type { SharedDatabase } from "../../database/database.ts";
import { keepOnce, type Wording } from "../../waitlist/wordings.ts";
import { renderLetter } from "../writing/render-letter.ts";
import type { Outbox } from "./outbox.ts";

/**
 * Keeps the words of the letter that asks to confirm, before a letter is written down as one that has
 * them: what a person was asked can be shown after the words were edited.
 */
export function keepWords(outbox: Outbox, database: SharedDatabase): Outbox {
	const keep = keepOnce(database, [confirmWording()]);
	return {
		...outbox,
		async turn(tried, most, slow) {
			if (tried.length > 0) await keep();
			return outbox.turn(tried, most, slow);
		},
		get brake() {
			return outbox.brake;
		},
	};
}

/** The letter that asks to confirm, as everybody gets it: each link is a place in brackets. */
function confirmWording(): Wording {
	const links = { confirmUrl: "[link to confirm]", leaveUrl: "[link to leave]" };
	const { subject, text, version } = renderLetter("confirm", links);
	return { version, kind: "letter", said: `Subject: ${subject}\n\n${text.trimEnd()}`, leadsTo: [] };
}
