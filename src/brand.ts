/**
 * The main file to edit when you adopt this site: names, emoji, colors and fonts. Pages, emails,
 * legal texts, pictures, manifest and mailto links all read it, and the build reports values that
 * cannot work. `npm run fix` formats it; adopting.md lists the other steps. The sentences are in
 * words/en.ts, and what the legal texts say about the product is in service.ts.
 */
const product = "Orbit";

export const brand = {
	product,
	/** The company that runs the site, as named in legal texts and emails. */
	company: "Orbit Mail, Inc.",
	/** The company's home country, as in "a company based in …". */
	country: "the United States",
	/** Contact address. `.example` is reserved (RFC 2606), so no real mailbox gets mail by mistake. */
	email: "hello@orbit.example",
	/**
	 * Postal address in one line, such as `1 Orbit Way, Springfield, CA 90000, USA`. Shown in email
	 * footers and at the end of the legal texts. Commercial email must include it (CAN-SPAM).
	 */
	postalAddress: "" as string,
	/**
	 * Extra lines that the law requires, such as the company's register number (EU: 2000/31/EC,
	 * article 5). Shown after the postal address.
	 */
	imprint: [] as readonly string[],
	/**
	 * Origin for canonical and sharing links, without a trailing slash. `SITE_ORIGIN` overrides it at
	 * build time.
	 */
	origin: "https://orbit.example",
	/**
	 * Sign-up page for invited people, such as `https://app.orbit.example/sign-up`. The invitation
	 * code is added as a fragment: `#code=ABCD-EFGH-JKMN-PQRS`. Empty: sign-up is not open yet.
	 */
	signUp: "" as string,
	/** Date the legal texts took effect, ISO 8601. */
	legalEffectiveDate: "2026-11-21",
	/** BCP 47 language tag of pages and emails. */
	language: "en",
};

/**
 * The drifting emoji, as many as `EMOJI` in engine/simulation/rules.ts. The fifth is the rocket, so
 * it must point up and to the right. Those of `BURST_EMOJI` there must be bright
 * against a night sky.
 */
export const emoji: readonly string[] = [
	...["✉️", "💌", "📬", "✨", "🚀", "🎉", "💡", "⭐", "🌈", "🔮"],
	...["🦄", "🍑", "🌸", "🪄", "🎈", "💜", "🧠", "🔍", "🛡️", "🌟"],
];

/** Sky colors as #rrggbb, shown behind text. */
export const sky = {
	morning: {
		/** Top to bottom. The first color is also used for the browser's frame. */
		colors: ["#efe5fd", "#f6e6f7", "#fce8ea", "#feedda"],
		/** Lights in the sky: center, bottom left, top right. */
		lights: ["#ffcde8", "#ffdeb2", "#d6deff"],
	},
	/** Halfway between morning and night, top to bottom. */
	between: ["#b99af0", "#f59ccb", "#ffb48c"],
	night: {
		colors: ["#0a0618", "#170b31", "#341253", "#4a1766"],
		/** Light from below in the night sky: its center and its rim. */
		lights: ["#ba46be", "#7a2c96"],
	},
};

export const sphere = {
	/** Six colors in a circle; each blends into its neighbors. */
	silk: ["#ff99cc", "#ffbe99", "#ffe6a3", "#b4f0d0", "#99daff", "#c1a5ff"],
	/** Color of the sphere's shaded underside. */
	shade: "#cc9eed",
	sheen: "#fffbfc",
	/** Halo around the rim: morning, night. */
	halo: ["#fbedff", "#ffccfa"],
};

/**
 * Text and background colors. The build requires a contrast of 4.5:1 for text, or 7:1 where
 * visitors who prefer more contrast can see it.
 */
export const inks = {
	morning: {
		ink: "#14101f",
		card: "#fffbfd",
		/** Gradient of the rotating word, left to right. */
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
		selection: "#ff9ec7",
	},
	night: {
		ink: "#ffffff",
		/** Small print in emails. */
		soft: "#cbc0e0",
		card: "#0c061e",
		focus: "#ffd36b",
		/** Gradient of the waitlist position, left to right. */
		number: ["#ffd36b", "#ffa06f", "#ff7fae", "#c9a6ff"],
		/** Gradient of the rotating word in a dark color scheme. */
		word: ["#ffdb52", "#ffcee8"],
		fieldError: "#ffd3da",
	},
	/** The legal pages. */
	paper: {
		ground: "#fcfaff",
		ink: "#1b1528",
		soft: "#4f4664",
		rule: "#e6def2",
		marker: "#8f6bd8",
	},
	/** The legal pages in a dark color scheme. The build requires a contrast of 7:1. */
	darkPaper: {
		ground: "#130d24",
		ink: "#f3effb",
		soft: "#c4b9da",
		rule: "#352a50",
		marker: "#a98bf5",
	},
	/** For `prefers-contrast: more`. */
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
 * Typefaces, as files from Fontsource packages, which have one file per writing system. A character
 * comes from the first file that has it, and files without needed characters are left out. To add a
 * package: `npm install --save-dev @fontsource-variable/…`. `axes` pins variation axes other than
 * the weight.
 */
export const fonts = {
	/** Headings, the waitlist position and the product name, weight 800. */
	display: {
		files: [
			"@fontsource-variable/bricolage-grotesque/files/bricolage-grotesque-latin-opsz-normal.woff2",
			"@fontsource-variable/bricolage-grotesque/files/bricolage-grotesque-latin-ext-opsz-normal.woff2",
			"@fontsource-variable/bricolage-grotesque/files/bricolage-grotesque-vietnamese-opsz-normal.woff2",
		],
		axes: { opsz: 96 } as Record<string, number>,
	},
	/** Everything else, weights 400 to 700. */
	text: {
		files: [
			"@fontsource-variable/figtree/files/figtree-latin-wght-normal.woff2",
			"@fontsource-variable/figtree/files/figtree-latin-ext-wght-normal.woff2",
		],
		axes: {} as Record<string, number>,
	},
};
