import { brand } from "#brand";
import { confirmDays } from "#shared/retention.ts";

const { product, company, imprint, email } = brand;

/** A button, which is a link: its address is written out below it as well. */
export interface Button {
	button: string;
	url: string;
}

/** What one letter says. A paragraph is plain text. */
export interface LetterWords {
	/** At most 50 characters: a phone shows no more. */
	subject: string;
	/** What lists of letters show beside the subject. */
	preview: string;
	title: string;
	body: readonly (string | Button)[];
	/** Why the letter came. It stands in the foot. */
	reason: string;
}

/**
 * What the letters say: edit it here. A new wording gets a new version by itself, and the waitlist
 * keeps with each letter which version was sent.
 */
export const lettersByKind = {
	confirm: ({ confirmUrl }: { confirmUrl: string }): LetterWords => ({
		subject: `Please confirm your address for ${product}`,
		preview: "You're on the list, and your place is kept. One thing would help.",
		title: "One click, and your invitation finds you",
		body: [
			`You're on the ${product} waitlist, and your place is kept.`,
			"One thing would help: tell us that our letters reach you here. Then your invitation will, too, when it's your turn.",
			{ button: "Confirm my address", url: confirmUrl },
			`The link works for ${confirmDays} days. Didn't join? Somebody may have mistyped their own address: ignore this letter, or leave by the link at the end.`,
		],
		reason: `You get this letter because this address joined the ${product} waitlist.`,
	}),
};

/** Above the address of a button, written out. */
export const copyWords = "Or open this address in your browser:";

/** The way to leave, in the foot of every letter. */
export const leaveWords = "Stop these letters, or delete your record";

/** Who writes, in the foot of every letter. */
export const senderLines: readonly string[] = [company, ...imprint, email];
