import { brand, words as said } from "#brand";
import type { LinkPageName } from "#shared/links.ts";
import { backupDays, confirmDays } from "#shared/retention.ts";
import { addressOf } from "../address.ts";

const { product } = brand;

/** The heading doubles as the title. */
interface PageWords {
	heading: string;
	words: string;
}

/** Texts of the pages behind email links; edit them here. None contains an address. */
export const letterPageWords: Record<LinkPageName, PageWords> = {
	confirm: {
		heading: "One step, and your invitation finds you",
		words: "You already have your place on the list. This tells us that our letters reach you.",
	},
	confirmed: {
		heading: "Now we know where to find you",
		words: "Thanks! Your invitation will come by letter when it's your turn. ✨",
	},
	leave: {
		heading: "Stop our letters?",
		words: "No hard feelings. One button will do.",
	},
	left: {
		heading: "No more letters",
		words:
			"We've stopped writing, and nobody but you can change that: here, or by the link in an earlier letter.",
	},
	delete: {
		heading: "Delete your record?",
		words:
			"Your place on the list goes with it, for good. If it's only the letters: those stop without it.",
	},
	deleted: {
		heading: "Your record is deleted",
		words: `You're off the list. The last copy in a backup is gone within ${backupDays} days. Come back any time!`,
	},
	expired: {
		heading: "This link no longer works",
		words: `Links work while your address is on the list, and those to confirm for ${confirmDays} days. Where shall we send a letter with a new one to confirm?`,
	},
	asked: {
		heading: "Have a look at your inbox",
		words:
			"If your address is still to be confirmed, a new letter is on its way. Give it a few minutes, and look among the spam, too.",
	},
	unsubscribe: {
		heading: "Unsubscribe",
		words:
			"Enter the address you joined with. We'll email you a link to stop our emails or delete your data.",
	},
	"unsubscribe-sent": {
		heading: "Check your inbox",
		words:
			"If this address is on our list, an email with your unsubscribe link is on its way. Give it a few minutes, and check your spam folder.",
	},
	invitation: {
		heading: "You are invited",
		words: brand.signUp
			? "Your code works once, for the address that your letter came to."
			: "Sign-up opens soon, and your code is your way in.",
	},
	"too-many": {
		heading: "One moment, please",
		words: "That was a lot of tries. Please go back, and try again in a few minutes.",
	},
	unavailable: {
		heading: "We cannot save this right now",
		words: "Please go back, and try again in a few seconds. Doing it twice does no harm.",
	},
};

export const confirmButton = "Confirm my address";

/** A mailto link with our URL, for people who have just confirmed. */
export const tellAFriend = {
	words: "Tell a friend",
	href: `mailto:?subject=${encodeURIComponent(said.title)}&body=${encodeURIComponent(addressOf("/"))}`,
};

/** The two ways to leave, each with its meaning. */
export const leaveChoices = {
	stop: {
		button: "Stop the letters",
		meaning: "No news, and no invitation either.",
	},
	delete: {
		button: "Delete my record",
		meaning: "Or leave the list, and your place on it goes with your record:",
	},
};

/** The choices on the page that asks for confirmation. */
export const deleteChoices = { keep: "Keep my place", delete: "Delete for good" };

/** For people who left by mistake. */
export const comeBackButton = "Write to me after all";

export const invitationWords = {
	label: "Your code:",
	/** For people whose browser did not show the code. */
	withoutCode: brand.signUp
		? "Copy the code from your letter: you need it to sign up."
		: "You find it in your letter: keep that until then.",
	copy: "Copy",
	copied: "Copied",
	/** If the browser denies clipboard access. */
	marked: "Selected. Now copy it with your keyboard",
	signUp: `Sign up for ${product}`,
};

/** On the public unsubscribe page. */
export const unsubscribeButton = "Email me the link";

/**
 * Below the form that requests a new email. A link to the unsubscribe page and our address follow.
 */
export const unsubscribeInstead = "Unsubscribe instead";
export const writeToUs = "Is something wrong? Write to";

/** Our address follows. */
export const nothingArrived = "Nothing arrived? Write to";
