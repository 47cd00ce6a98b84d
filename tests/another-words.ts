/* A src/words/en.ts for tests. */
import { brand } from "#brand";
import type * as ours from "#words";

const { product } = brand;

export const words: typeof ours.words = {
	title: `${product}, the quick one`,
	description: `Post that flies: ${product} reads ahead, tidies up and answers what can be answered. Leave your address, and be among the first.`,
	headline: {
		lines: ["Post, only", `with ${product}`, "it is"],
		turning: ["quick", "wonderful", "weatherproof", "Świeży"],
		and: "&",
	},
	form: {
		prompt: "Be among the first",
		label: "Your address",
		placeholder: "ty@przyklad.example",
		button: "Count me in",
		joining: "One moment…",
		note: "One letter when it starts. Nothing else.",
		honeypot: "Let this lie",
	},
	moon: {
		label: "Touch to pick your moon",
		hint: "Touch to pick",
		show: "Tell the crew",
		saved: "In your chest, with its chart.",
		copied: "The chart is copied.",
	},
	messages: {
		joined: "Splendid! You're aboard. Until soon! 🌊",
		confirm: "A letter follows: answer it.",
		duplicate: "You are aboard already, and so is your crew. Until soon! 🌊",
		failed: "That went overboard. Please send it again.",
		emailMissing: "An address is needed here",
		emailInvalid: "No letter would reach this address",
		emailTooLong: "That is longer than any address",
	},
	confirmation: {
		title: "Ahoy!",
		description: `Your number on the list of ${product}.`,
		before: "You are number",
		position: "1,007",
		after: "We shall signal",
	},
	notFound: {
		title: "Nothing but water here",
		tab: "Nothing here",
		description: `No page is here. ${product} is one link away.`,
		joke: "Not even a bottle with a letter.",
		home: "Back to the harbour",
	},
	legal: {
		label: "Small print",
		privacy: "Your data",
		privacyDescription: `What ${product} keeps of you when you come aboard, what it never does with your post, and how to have it all thrown overboard.`,
		terms: "The articles",
		termsDescription: `What ${product} and you agree on: who may come aboard, what each of us promises, and how a quarrel is settled without a fight.`,
		contents: "Chart",
		home: "Back to the harbour",
		effective: "In force from",
	},
	motion: { pause: "Drop anchor", play: "Weigh anchor" },
	pictures: { morning: "at sea by day.", night: "at sea by night.", paper: "at sea." },
};
