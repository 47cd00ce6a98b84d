import { brand } from "#brand";
import type { LetterPageName } from "#shared/letters.ts";
import { backupDays, confirmDays } from "#shared/retention.ts";

const { product } = brand;

/** What a page says: its heading, which is its title as well, and what it means. */
interface PageWords {
	heading: string;
	words: string;
}

/** What the pages behind the letters' links say: edit it here. None of them says an address. */
export const letterPageWords: Record<LetterPageName, PageWords> = {
	confirm: {
		heading: "One click, and your invitation finds you",
		words: "Your place on the list is yours already. This tells us that our letters reach you.",
	},
	confirmed: {
		heading: "Now we know where to find you",
		words: "Thank you! Your invitation comes by letter when it is your turn. ✨",
	},
	leave: {
		heading: "Enough letters?",
		words: "As you like. It takes one click.",
	},
	left: {
		heading: "No more letters",
		words: `We have stopped. Should you miss us, join the ${product} waitlist again: we will ask you first.`,
	},
	deleted: {
		heading: "Your record is deleted",
		words: `You are off the list. The last copy in a backup is gone within ${backupDays} days. You are welcome back at any time.`,
	},
	expired: {
		heading: "This link has had its day",
		words: `A link to confirm works for ${confirmDays} days, and as long as your address is on the list. Tell us where to send a new one.`,
	},
	asked: {
		heading: "Have a look at your inbox",
		words:
			"If your address waits for a confirmation, a new letter is on its way. It may take a few minutes, or hide among the spam.",
	},
	"too-many": {
		heading: "One moment, please",
		words: "These were many tries in a short time. Please go back, and try again in a few minutes.",
	},
	unavailable: {
		heading: "We cannot save this right now",
		words: "Please go back, and try again in a few seconds. Doing it twice does no harm.",
	},
};

export const confirmButton = "Confirm my address";

/** The two ways to leave, each with what it means. */
export const leaveChoices = {
	stop: {
		button: "Stop the letters",
		meaning: "No news, and no invitation either.",
	},
	delete: {
		button: "Delete my record",
		meaning: "Your place is gone as well.",
	},
};

/** Below the form that asks for a new letter. Our address follows. */
export const writeToUs = "Would you rather leave the list, or is something wrong? Write to";
