import type { Wording } from "../registrations/wordings.ts";
import { renderEmail } from "./templates/render-email.ts";

/** The email that asks to confirm, as everybody gets it: each link is a place in brackets. */
export function confirmWording(): Wording {
	const links = { confirmUrl: "[link to confirm]", unsubscribeUrl: "[link to leave]" };
	const { subject, text, version } = renderEmail("confirm", links);
	return { version, kind: "letter", said: `Subject: ${subject}\n\n${text.trimEnd()}`, leadsTo: [] };
}
