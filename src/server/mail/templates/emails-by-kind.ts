import { emails } from "#words";
import { type EmailWords, type Message, messageWords, type Part } from "./message.ts";

const { reason } = emails;

export interface EmailsAbout {
	confirm: { confirmUrl: string };
	unsubscribe: { unsubscribeUrl: string };
	invitation: Invitation & { message?: Message | undefined };
	news: { message: Message };
}

export type EmailKind = keyof EmailsAbout;

interface Invitation {
	link: string;
	code: string;
	expiresAt: string;
}

export const emailsByKind: {
	[Kind in keyof EmailsAbout]: (about: EmailsAbout[Kind]) => EmailWords;
} = {
	confirm: ({ confirmUrl }) => ({ ...emails.confirm(confirmUrl), reason }),
	unsubscribe: ({ unsubscribeUrl }) => emails.unsubscribe(unsubscribeUrl),
	invitation({ message, ...invitation }) {
		const parts = invitationParts(invitation);
		if (message) return messageWords(message, reason, parts);
		const { subject, preview, title, text } = emails.invitation;
		const body = [text, ...Object.values(parts).flatMap(({ end }) => end)];
		return { subject, preview, title, body, reason };
	},
	news: ({ message }) => messageWords(message, reason),
};

export const EMAIL_KINDS = Object.keys(emailsByKind) as EmailKind[];

/** Placeholders for the message of an invitation. Missing ones are added at its end. */
export const invitationPlaces = ["link", "code", "expires"] as const;

function invitationParts({
	link,
	code,
	expiresAt,
}: Invitation): Record<(typeof invitationPlaces)[number], Part> {
	const words = emails.invitation;
	const button = { button: words.button, url: link };
	const expires = emails.time(expiresAt);
	return {
		link: { text: link, alone: button, end: [button] },
		code: { text: code, alone: { code }, end: [words.code, { code }] },
		expires: { text: expires, alone: expires, end: [words.expires(expires)] },
	};
}
