import { brand } from "#brand";
import { confirmDays } from "#shared/retention.ts";
import { type LetterWords, type Message, messageWords, type Part } from "./message.ts";

const { product, company, postalAddress, imprint, email } = brand;

/** In the foot of every letter. */
const reason = `You get this letter because this address joined the ${product} waitlist.`;

/** What a kind of letter is about, besides its words. */
export interface LettersAbout {
	confirm: { confirmUrl: string };
	unsubscribe: { unsubscribeUrl: string };
	/** With the founder's words, or with ours. */
	invitation: Invitation & { message?: Message | undefined };
	news: { message: Message };
}

/** What an invitation says that differs from person to person. */
export interface Invitation {
	/** The address of the page that shows the code: see links.ts. */
	link: string;
	/** As `createCodes` shows it. */
	code: string;
	/** When the code expires, ISO 8601. */
	expiresAt: string;
}

/**
 * What the letters say: edit it here. A new wording gets a new version by itself, and the waitlist
 * keeps with each letter which version was sent.
 */
export const lettersByKind: {
	[Kind in keyof LettersAbout]: (about: LettersAbout[Kind]) => LetterWords;
} = {
	confirm: ({ confirmUrl }) => ({
		subject: `Please confirm your address for ${product}`,
		preview: "You're on the list, and your place is kept. One thing would help.",
		title: "One step, and your invitation finds you",
		body: [
			`You're on the ${product} waitlist, and your place is kept.`,
			"One thing would help: tell us that our letters reach you here. Then your invitation will, too, when it's your turn.",
			{ button: "Confirm my address", url: confirmUrl },
			`The link works for ${confirmDays} days.`,
			"Didn't join? Somebody may have mistyped their own address: ignore this letter, or leave by the link at the end.",
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
			preview: "It's your turn. Your way in is inside.",
			title: "It's your turn",
			body: [
				`Your place on the ${product} waitlist has come up: you're invited.`,
				...Object.values(parts).flatMap(({ end }) => end),
			],
			reason,
		};
	},

	news: ({ message }) => messageWords(message, reason),
};

/** What the message of an invitation may name, in braces. What it does not name stands at its end. */
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
		code: { text: code, alone: { code }, end: ["If you are asked for a code:", { code }] },
		expires: {
			text: expires,
			alone: expires,
			end: [`The code works once, for this address, until ${expires}.`],
		},
	};
}

/** `6 December 2026, 21:00 UTC`: no later than the time is, wherever the reader is. */
function timeAsText(iso: string): string {
	const day = new Date(iso).toLocaleDateString("en-GB", { dateStyle: "long", timeZone: "UTC" });
	return `${day}, ${iso.slice(11, 16)} UTC`;
}

/** Above the address of the button, written out below the letter. */
export const copyWords = "If the button does nothing, open this address in your browser:";

/** The way to leave, in the foot of every letter. */
export const leaveWords = "Stop these letters, or delete your record";

/** Who writes, in the foot of every letter. */
export const senderLines = [company, postalAddress, ...imprint, email].filter(
	(line) => line !== "",
);
