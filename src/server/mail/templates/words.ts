import { brand } from "#brand";
import { confirmDays } from "#shared/retention.ts";
import { type EmailWords, type Message, messageWords, type Part } from "./message.ts";

const { product, company, postalAddress, imprint, email } = brand;

const reason = `You're receiving this because this address joined the ${product} waitlist.`;

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

/** Edit the words of the emails here. The database records the version of each email. */
export const emailsByKind: {
	[Kind in keyof EmailsAbout]: (about: EmailsAbout[Kind]) => EmailWords;
} = {
	confirm: ({ confirmUrl }) => ({
		subject: `Confirm your email for ${product}`,
		preview: "You're on the list. One click makes sure your invitation arrives.",
		title: "Confirm your email address",
		body: [
			`You're on the ${product} waitlist.`,
			"Please confirm that this is your address, so that your invitation reaches you when it's your turn.",
			{ button: "Confirm my email", url: confirmUrl },
			`The link works for ${confirmDays} days.`,
			"Didn't join? Somebody may have mistyped their own address. Ignore this email, or unsubscribe below.",
		],
		reason,
	}),

	unsubscribe: ({ unsubscribeUrl }) => ({
		subject: `Unsubscribe from ${product}`,
		preview: "Here is the link you asked for.",
		title: "Unsubscribe from our emails?",
		body: [
			"You asked for a link to unsubscribe. It opens a page where you can stop our emails or delete your data.",
			{ button: "Unsubscribe", url: unsubscribeUrl },
			"Didn't ask for this? Ignore this email, and nothing changes.",
		],
		reason: "You're receiving this because somebody entered this address on our unsubscribe page.",
	}),

	invitation: ({ message, ...invitation }) => {
		const parts = invitationParts(invitation);
		if (message) return messageWords(message, reason, parts);
		return {
			subject: `Your invitation to ${product}`,
			preview: `You're off the waitlist. Your invitation is inside.`,
			title: "It's your turn",
			body: [
				`You're off the waitlist: come and try ${product}.`,
				...Object.values(parts).flatMap(({ end }) => end),
			],
			reason,
		};
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
	const button = { button: "Accept the invitation", url: link };
	const expires = timeAsText(expiresAt);
	return {
		link: { text: link, alone: button, end: [button] },
		code: {
			text: code,
			alone: { code },
			end: ["If you're asked for a code, enter this one:", { code }],
		},
		expires: {
			text: expires,
			alone: expires,
			end: [`The code works once, for this address, until ${expires}.`],
		},
	};
}

/** `December 6, 2026, 21:00 UTC` */
function timeAsText(iso: string): string {
	const day = new Date(iso).toLocaleDateString("en-US", { dateStyle: "long", timeZone: "UTC" });
	return `${day}, ${iso.slice(11, 16)} UTC`;
}

export const copyWords = "If the button doesn't work, open this link in your browser:";

export const unsubscribeWords = "Unsubscribe or delete my data";

export const senderLines = [company, postalAddress, ...imprint, email].filter(
	(line) => line !== "",
);
