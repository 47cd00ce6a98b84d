/*
 * Another brand: what a founder makes of src/brand.ts. It has other names, words, emoji, colours
 * and dates, and letters that the first brand does not need. tests/adopted-tree.ts puts it in place.
 */
const product = "Möwe";

export const brand = {
	product,
	company: "Möwe & Söhne GmbH",
	country: "Germany",
	email: "hallo@moewe.example",
	imprint: ["Große Elbstraße 9, 22767 Hamburg", "HRB 999999, Amtsgericht Hamburg"],
	origin: "https://moewe.example",
	legalEffectiveDate: "2027-03-14",
	language: "en-GB",
};

export const words = {
	title: `${product}, the quick one`,
	description: `Post that flies: ${product} reads ahead, tidies up and answers what can be answered. Leave your address, and be among the first.`,
	headline: {
		lines: ["Post, only", `with ${product}`, "it is"],
		turning: ["quick", "wonderful", "illimitable", "WOW"],
		and: "&",
	},
	form: {
		prompt: "Be among the first",
		label: "Your address",
		placeholder: "du@beispiel.example",
		button: "Count me in",
		joining: "One moment…",
		note: "One letter when it starts. Nothing else.",
	},
	messages: {
		joined: "Splendid! You're aboard. Until soon! 🌊",
		duplicate: "You are aboard already, and so is your crew. Until soon! 🌊",
		failed: "That went overboard. Please send it again.",
		emailMissing: "An address is needed here",
		emailInvalid: "No letter would reach this address",
		emailTooLong: "That is longer than any address",
	},
	confirmation: {
		title: "Ahoy!",
		before: "You are number",
		position: "1,007",
		after: "We shall signal",
	},
	notFound: {
		title: "Nothing but water here",
		home: "Back to the harbour",
	},
};

export const emoji: readonly string[] = [
	...["⚓", "🐟", "🦀", "🌊", "🛩️", "🐚", "⛵", "🐙", "🦞", "🐳"],
	...["🐬", "🪸", "🦑", "🐡", "🌞", "🏖️", "🧭", "🍋", "🥨", "🐠"],
];

export const fonts = {
	display: {
		file: "@fontsource-variable/bricolage-grotesque/files/bricolage-grotesque-latin-opsz-normal.woff2",
		axes: { opsz: 48 } as Record<string, number>,
	},
	text: {
		file: "@fontsource-variable/figtree/files/figtree-latin-wght-normal.woff2",
		axes: {} as Record<string, number>,
	},
};
