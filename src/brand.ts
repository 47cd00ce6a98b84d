/**
 * The one file to edit when adopting this site (promise 40): names, words, emoji, colours and fonts.
 * Pages, letters, legal texts, pictures, manifest and mail links all read it, and the build says what
 * of it cannot hold. `npm run fix` formats an edit, and README.md says what else to do after it. What the
 * legal texts say of the product stands in service.ts.
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
	 * Where post reaches the company, in one line: `1 Orbit Way, Springfield, CA 90000, USA`. It stands in
	 * the foot of letters and at the end of the legal texts. Commercial mail must name it (CAN-SPAM).
	 */
	postalAddress: "" as string,
	/**
	 * What else a country wants to be read beside the company's name, a line each, such as its register
	 * (EU: 2000/31/EC, article 5). It stands where the postal address does.
	 */
	imprint: [] as readonly string[],
	/** Origin of canonical and sharing links, without a trailing slash. `SITE_ORIGIN` overrides it at build time. */
	origin: "https://orbit.example",
	/**
	 * Where the invited sign up: `https://app.orbit.example/sign-up`. The code of an invitation comes
	 * along as the fragment `#code=ABCD-EFGH-JKMN-PQRS`. Empty: sign-up is not open yet.
	 */
	signUp: "" as string,
	/** The day the legal texts took effect, ISO 8601. */
	legalEffectiveDate: "2026-11-21",
	/** The language of pages and letters, as a BCP 47 tag. */
	language: "en",
};

/** What the pages say. `src/server/mail/templates/words.ts` has what letters say, `src/site/letters/words.ts` the pages of their links. */
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
		/** A line under the form, of at most 60 characters: what this is. Empty: there is none. */
		note: "AI that sums up, sorts and finds. Your mail never trains it.",
	},
	moon: {
		/** Of what goes round the sphere after a join, read out before its emoji. */
		label: "Choose your moon",
		/** The button below the message, and what it says where the system cannot share. */
		show: "Show a friend",
		saved: "Saved, and the link is copied.",
		copied: "The link is copied.",
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
		/** A smile for somebody who is lost. Empty: there is none. */
		joke: "We even looked in the spam folder.",
		home: "Return to Home",
	},
};

/**
 * The 20 emoji that drift. The fifth flies as the rocket: it must head up and to the right. Bursts are
 * made of the 2nd, 4th, 6th to 13th, 15th, 16th and 20th: those must be bright on a night sky.
 */
export const emoji: readonly string[] = [
	...["✉️", "💌", "📬", "✨", "🚀", "🎉", "💡", "⭐", "🌈", "🔮"],
	...["🦄", "🍑", "🌸", "🪄", "🎈", "💜", "🧠", "🔍", "🛡️", "🌟"],
];

/** The colours of the sky, as #rrggbb. What is behind words is seen through their light. */
export const sky = {
	morning: {
		/** From top to bottom. The first one is the colour of the browser's frame as well. */
		colours: ["#efe5fd", "#f6e6f7", "#fce8ea", "#feedda"],
		/** In the middle, low on the left, high on the right. */
		lights: ["#ffcde8", "#ffdeb2", "#d6deff"],
	},
	/** Half-way from morning to night and back, from top to bottom. */
	between: ["#b99af0", "#f59ccb", "#ffb48c"],
	night: {
		colours: ["#0a0618", "#170b31", "#341253", "#4a1766"],
		/** Of one light from below: its middle and its rim. */
		lights: ["#ba46be", "#7a2c96"],
	},
};

/** The colours of the sphere. */
export const sphere = {
	/** Six in a circle, each melting into its neighbours. */
	silk: ["#ff99cc", "#ffbe99", "#ffe6a3", "#b4f0d0", "#99daff", "#c1a5ff"],
	/** Below, and of what shines on it. */
	shade: "#cc9eed",
	sheen: "#fffbfc",
	/** Around its rim, in the morning and at night. */
	halo: ["#fbedff", "#ffccfa"],
};

/**
 * The colours of words and of what they stand on. All must have a contrast of 4.5:1. It is 7:1 in
 * `more`, and for what has no colour of its own there: `fieldInk`, `buttonInk`, and `night` but for
 * `soft`, on its card.
 */
export const inks = {
	morning: {
		ink: "#14101f",
		card: "#fffbfd",
		/** The changing word, from left to right. */
		word: ["#760076", "#2a0ccd"],
		field: "#ffffff",
		fieldInk: "#14101f",
		fieldHint: "#635b7a",
		fieldError: "#7d0a28",
		button: "#14101f",
		buttonInk: "#ffffff",
		buttonHover: "#352c50",
		focus: "#4a2bd6",
		shadow: "#542478",
		/** Behind selected words. */
		selection: "#ff9ec7",
	},
	night: {
		ink: "#ffffff",
		/** Of small words in letters. */
		soft: "#cbc0e0",
		card: "#0c061e",
		focus: "#ffd36b",
		/** The number, from left to right. */
		number: ["#ffd36b", "#ffa06f", "#ff7fae", "#c9a6ff"],
		/** The changing word, for visitors whose system is dark. */
		word: ["#ffdb52", "#ffcee8"],
		fieldError: "#ffd3da",
	},
	/** Under the legal texts. */
	paper: {
		ground: "#fcfaff",
		ink: "#1b1528",
		soft: "#4f4664",
		rule: "#e6def2",
		marker: "#8f6bd8",
	},
	/** The same in the dark, with a contrast of 7:1. */
	darkPaper: {
		ground: "#130d24",
		ink: "#f3effb",
		soft: "#c4b9da",
		rule: "#352a50",
		marker: "#a98bf5",
	},
	/** For visitors who ask for more contrast. */
	more: {
		ink: "#000000",
		word: ["#5c0549", "#27158a"],
		fieldHint: "#4a4360",
		fieldError: "#740624",
		focus: "#2a1590",
		soft: "#2c2440",
	},
};

/**
 * The typefaces, as files of packages from Fontsource, which has one for each script: a letter comes from
 * the first file that has it, and files without a letter of yours are left out. Another package:
 * `npm install --save-dev @fontsource-variable/…`. `axes` pins variation axes other than the weight.
 */
export const fonts = {
	/** Of headings, the number and the product's name, in weight 800. */
	display: {
		files: [
			"@fontsource-variable/bricolage-grotesque/files/bricolage-grotesque-latin-opsz-normal.woff2",
			"@fontsource-variable/bricolage-grotesque/files/bricolage-grotesque-latin-ext-opsz-normal.woff2",
			"@fontsource-variable/bricolage-grotesque/files/bricolage-grotesque-vietnamese-opsz-normal.woff2",
		],
		axes: { opsz: 96 } as Record<string, number>,
	},
	/** Of all else, in weights 400 to 700. */
	text: {
		files: [
			"@fontsource-variable/figtree/files/figtree-latin-wght-normal.woff2",
			"@fontsource-variable/figtree/files/figtree-latin-ext-wght-normal.woff2",
		],
		axes: {} as Record<string, number>,
	},
};
