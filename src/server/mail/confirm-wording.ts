import type { Wording } from "../registrations/wordings.ts";
import { renderLetter } from "./templates/render-letter.ts";

/** The email that asks to confirm, as everybody gets it: each link is a place in brackets. */
export function confirmWording(): Wording {
	const links = { confirmUrl: "[link to confirm]", leaveUrl: "[link to leave]" };
	const { subject, text, version } = renderLetter("confirm", links);
	return { version, kind: "letter", said: `Subject: ${subject}\n\n${text.trimEnd()}`, leadsTo: [] };
}
