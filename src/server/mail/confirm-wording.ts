import { renderLetter } from "../letters/writing/render-letter.ts";
import type { Wording } from "../waitlist/wordings.ts";

/** The email that asks to confirm, as everybody gets it: each link is a place in brackets. */
export function confirmWording(): Wording {
	const links = { confirmUrl: "[link to confirm]", leaveUrl: "[link to leave]" };
	const { subject, text, version } = renderLetter("confirm", links);
	return { version, kind: "letter", said: `Subject: ${subject}\n\n${text.trimEnd()}`, leadsTo: [] };
}
