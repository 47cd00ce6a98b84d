/**
 * Every sentence that visitors and subscribers read, except legal texts.
 *
 * To translate, copy this file and type each export (`export const words: typeof import("./en.ts").words`).
 * Then name the copy in package.json (`#words`) and its language in src/brand.ts.
 */
import { brand } from "#brand";
import { backupRetentionDays, confirmationLinkDays } from "#shared/retention.ts";

const { product } = brand;

export const words = {
	title: `${product} · Email, but smart`,
	/** 110 to 155 characters, as much as search results and shared links show. */
	description: `Email, but make it ${product} smart: summaries, sorting, suggested actions and search that finds things. Join the waitlist now.`,
	headline: {
		lines: ["Email, but", `make it ${product}`],
		/** The rotating words, in order. The static page shows the first. */
		turning: ["smart", "beautiful", "useful", "personal", "curated"],
		/** Joins the last two words when a screen reader reads all as one sentence. */
		and: "and",
	},
	form: {
		prompt: "Join the waitlist now",
		label: "Email address",
		placeholder: "you@example.com",
		button: "Join waitlist",
		joining: "Joining...",
		/** One line under the form, at most 60 characters; may be empty. */
		note: "AI summaries, sorting, search. Never trained on your mail.",
		/** The label of a field that only bots see. */
		honeypot: "Leave this field empty",
	},
	moon: {
		/** Screen reader label of the emoji that orbits the sphere after a join. The emoji follows. */
		label: "Tap to change your moon",
		/** Shown once below the moon. The label contains it, for voice control (WCAG 2.5.3). */
		hint: "Tap to change",
		show: `Share ${product}`,
		saved: "Picture saved.",
		copied: "Link copied.",
	},
	messages: {
		joined: "Thanks! You've been added to the waitlist. We'll be in touch soon! ✨",
		/** Added to `joined` if the server sends a confirmation email. */
		confirm: "Check your inbox to confirm.",
		/** For people already on the list: a welcome, not an error. */
		duplicate: "We see you. We see your inbox chaos. We got you, stay tuned! ✨",
		/** Fallback when the server sent no message or did not respond. */
		failed: "Failed to join waitlist. Please try again.",
		emailMissing: "Please enter your email address",
		emailInvalid: "Please enter a valid email address",
		emailTooLong: "This email address is too long",
	},
	confirmation: {
		title: "Congratulations!",
		description: `Your spot on the ${product} waitlist.`,
		before: "Your spot on the waitlist is",
		/** Fixed for everyone, so it reveals nothing about the visitor. */
		position: "24,986",
		after: "We'll be in touch soon",
	},
	notFound: {
		title: "Oops! Page not found",
		tab: "Page not found",
		description: `This page doesn't exist, but ${product} is just a click away.`,
		joke: "We even looked in the spam folder.",
		home: "Return to Home",
	},
	legal: {
		/** Screen reader label of the links below. */
		label: "Legal",
		privacy: "Privacy Policy",
		privacyDescription: `What ${product} stores when you join the waitlist, what it never does with your email, and how to have your data deleted.`,
		terms: "Terms of Service",
		termsDescription: `The agreement between you and ${product}: who may use it, what we each promise, and how we settle a disagreement fairly.`,
		contents: "Contents",
		home: "Back to home",
		/** Followed by the date. */
		effective: "Effective",
	},
	motion: { pause: "Pause animations", play: "Play animations" },
	/** Alt text of the picture that shared links show. */
	pictures: {
		morning: "in front of a silky, iridescent sphere and drifting emoji in a morning sky",
		night: "over fireworks of emoji in a night sky",
		paper: "in front of a silky, iridescent sphere in a morning sky",
	},
};

/** The pages behind email links. Each heading is also the page's title. */
export const linkPages = {
	confirm: {
		heading: "One last click",
		words: "You're already on the list. This just makes sure our emails reach you.",
		button: "Confirm my email",
	},
	confirmed: {
		heading: "You're all set",
		words: "Thanks! We'll email your invitation when it's your turn. ✨",
		tellAFriend: "Tell a friend",
	},
	unsubscribe: {
		heading: "Unsubscribe?",
		words: "No hard feelings. One click is all it takes.",
		unsubscribe: "Unsubscribe",
		unsubscribeMeans: "You won't get news, or an invitation if you don't have one yet.",
		delete: "Delete my data",
		deleteMeans: "Or delete everything, including your spot on the list:",
	},
	unsubscribed: {
		heading: "You're unsubscribed",
		words: "We won't email you again unless you ask us to.",
		button: "Resubscribe",
	},
	delete: {
		heading: "Delete your data?",
		words:
			"You'll lose your spot on the list, and this can't be undone. If you just want to stop the emails, keep your spot and unsubscribe instead.",
		keep: "Keep my spot",
		button: "Delete permanently",
	},
	deleted: {
		heading: "Your data has been deleted",
		words: `You've been removed from the list. Your data will be gone from our backups within ${backupRetentionDays} days. Come back anytime!`,
	},
	expired: {
		heading: "This link no longer works",
		words: `It may have been cut off, or expired: confirmation links last ${confirmationLinkDays} days. Need to confirm? Enter your email and we'll send you a new link.`,
		button: "Send link",
		unsubscribe: "Unsubscribe instead",
		/** Followed by our email address. */
		write: "Need help? Write to",
	},
	"link-sent": {
		heading: "Check your inbox",
		words:
			"If this address still needs confirming, a new email is on its way. Give it a few minutes, and check your spam folder.",
	},
	"unsubscribe-form": {
		heading: "Unsubscribe",
		words:
			"Enter the address you joined with. We'll email you a link to stop our emails or delete your data.",
		button: "Send link",
	},
	"unsubscribe-sent": {
		heading: "Check your inbox",
		words:
			"If this address is on our list and still gets email, an email with your unsubscribe link is on its way. Give it a few minutes, and check your spam folder.",
		/** Followed by our email address, also below `link-sent`. */
		write: "Nothing arrived? Write to",
	},
	invitation: {
		heading: "You're invited",
		words: brand.signUp
			? "You're off the waitlist. Use your code to sign up."
			: "Hang on to your code: you'll need it when sign-up opens.",
		label: "Your code:",
		/** Below the code. */
		once: "Works once, with the email address it was sent to.",
		/** For people whose browser did not show the code. */
		withoutCode: "Your code is in your invitation email.",
		copy: "Copy",
		copied: "Copied",
		/** Shown if the browser denies clipboard access. */
		marked: "Couldn't copy. Your code is selected, so you can copy it yourself.",
		signUp: `Sign up for ${product}`,
	},
	"too-many": {
		heading: "Slow down a little",
		words: "Too many attempts. Go back and try again in a few minutes.",
	},
	unavailable: {
		heading: "Something went wrong",
		words: "Go back and try again in a few seconds. It's safe to retry.",
	},
};

const counted = (n: number, unit: string) => `${n} ${unit}${n === 1 ? "" : "s"}`;

export const errors = {
	duplicate: "This email is already on the waitlist.",
	unavailable: "We couldn't save your email just now. Please try again in a few seconds.",
	crossSite: `Please join from the ${product} website.`,
	tooManyAttempts: "Too many attempts.",
	/** Follows `tooManyAttempts`. */
	tryAgainIn: (seconds: number) =>
		`Please try again in ${seconds <= 90 ? counted(seconds, "second") : counted(Math.ceil(seconds / 60), "minute")}.`,
};

/** The emails. The database records each version that was sent. */
export const emails = {
	confirm: (url: string) => ({
		subject: `Confirm your email for ${product}`,
		preview: "You're on the list. One click makes sure your invitation arrives.",
		title: "Confirm your email address",
		body: [
			`You're on the ${product} waitlist.`,
			"Please confirm that this is your address, so your invitation reaches you when it's your turn.",
			{ button: "Confirm my email", url },
			`This link expires in ${confirmationLinkDays} days.`,
			"Didn't join? Someone probably mistyped their address. You can ignore this email, or unsubscribe below.",
		],
	}),
	unsubscribe: (url: string) => ({
		subject: `Unsubscribe from ${product}`,
		preview: "Here's the link you asked for.",
		title: "Unsubscribe from our emails?",
		body: [
			"You asked for a link to unsubscribe. It opens a page where you can stop our emails or delete your data.",
			{ button: "Unsubscribe", url },
			"Didn't ask for this? You can ignore this email: nothing will change.",
		],
		reason:
			"You're getting this email because someone entered this address on our unsubscribe page.",
	}),
	invitation: {
		subject: `Your invitation to ${product}`,
		preview: "You're off the waitlist. Your invitation is inside.",
		title: "It's your turn",
		text: brand.signUp
			? `You're off the waitlist: come and try ${product}.`
			: "You're off the waitlist. Hang on to your code: you'll need it when sign-up opens.",
		button: brand.signUp ? "Accept the invitation" : "See my code",
		/** Followed by the code. */
		code: "If you're asked for a code, enter this one:",
		expires: (time: string) => `The code works once, for this address, until ${time}.`,
	},
	reason: `You're getting this email because this address joined the ${product} waitlist.`,
	/** Followed by the URL of a button. */
	copy: "Button not working? Open this link in your browser:",
	unsubscribeLink: "Unsubscribe or delete my data",
	/** `December 6, 2026, 21:00 UTC` */
	time(iso: string): string {
		const day = new Date(iso).toLocaleDateString("en-US", { dateStyle: "long", timeZone: "UTC" });
		return `${day}, ${iso.slice(11, 16)} UTC`;
	},
};
