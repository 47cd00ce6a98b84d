/**
 * The one file to edit when adopting this site (promise 40): names, words, emoji, colours and fonts.
 * Pages, letters, legal texts, pictures, manifest and mail links all read it, and the build says what
 * of it cannot hold. README.md says what to do after an edit.
 */
const product = "Orbit";

/** Who runs the site. */
export const brand = {
	/** The product's name. */
	product,
	/** The company that runs it, as the legal texts and the letters name it. */
	company: "Orbit Mail, Inc.",
	/** Where the company is based, as in "a company based in …". */
	country: "the United States",
	/** Where visitors write to. `.example` is reserved (RFC 2606): no real mailbox is hit by mistake. */
	email: "hello@orbit.example",
	/**
	 * What the law of some countries wants to be read beside the company's name, a line each: a postal
	 * address, a register. It stands in the foot of letters and at the end of the legal texts.
	 */
	imprint: [] as readonly string[],
	/** Origin of canonical and sharing links, without a trailing slash. `SITE_ORIGIN` overrides it at build time. */
	origin: "https://orbit.example",
	/** The day the legal texts took effect, ISO 8601. */
	legalEffectiveDate: "2026-11-21",
	/** The language of pages and letters, as a BCP 47 tag. */
	language: "en",
};

/** What the pages say. What letters say stands in `src/server/letters/words.ts` and `src/site/letters/words.ts`. */
export const words = {
	/** The landing page in tabs and search results. */
	title: `${product} · Email, but smart`,
	/** For search results and shared links: 110 to 155 characters are shown uncut. */
	description: `Email, but make it ${product} smart: summaries, sorting, suggested actions and search that finds things. Join the waitlist now.`,
	headline: {
		lines: ["Email, but", `make it ${product}`],
		/** The changing word, in this order. The first one stands in the static page. */
		turning: ["smart", "beautiful", "useful", "personal", "curated"],
		/** Before the last word, where all are read out as one sentence. */
		and: "and",
	},
	form: {
		prompt: "Join the waitlist now",
		label: "Email address",
		placeholder: "you@example.com",
		button: "Join waitlist",
		joining: "Joining...",
		/** A line under the form, such as what you will not do with an address. Empty: there is none. */
		note: "",
	},
	messages: {
		/** After a join. */
		joined: "Thanks! You've been added to the waitlist. We'll be in touch soon! ✨",
		/** To somebody who is on the list already: a welcome, not an error. */
		duplicate: "We see you. We see your inbox chaos. We got you, stay tuned! ✨",
		/** Where the server gave no sentence, or no answer. */
		failed: "Failed to join waitlist. Please try again.",
		emailMissing: "Please enter your email address",
		emailInvalid: "Please enter a valid email address",
		emailTooLong: "This email address is too long",
	},
	confirmation: {
		title: "Congratulations!",
		before: "Your spot on the waitlist is",
		/** Always the same: the page says nothing about the visitor. */
		position: "24,986",
		after: "We'll be in touch soon",
	},
	notFound: {
		title: "Oops! Page not found",
		home: "Return to Home",
	},
};

/** The 20 emoji that drift and burst. The fifth flies as the rocket: it must head up and to the right. */
export const emoji: readonly string[] = [
	...["✉️", "💌", "📬", "✨", "🚀", "🎉", "💡", "⭐", "🌈", "🔮"],
	...["🦄", "🍑", "🌸", "🪄", "🎈", "💜", "🧠", "🔍", "🛡️", "🌟"],
];

/**
 * The typefaces, as files of packages from Fontsource: put another package under `devDependencies`.
 * `axes` pins the file's variation axes other than its weight. The light behind words is as high as the
 * letters of these: where another font's are higher, `npm test` says which words lose their contrast.
 */
export const fonts = {
	/** Of headings, the number and the product's name, in weight 800. */
	display: {
		file: "@fontsource-variable/bricolage-grotesque/files/bricolage-grotesque-latin-opsz-normal.woff2",
		axes: { opsz: 60 } as Record<string, number>,
	},
	/** Of all else, in weights 400 to 700. */
	text: {
		file: "@fontsource-variable/figtree/files/figtree-latin-wght-normal.woff2",
		axes: {} as Record<string, number>,
	},
};
