/**
 * The one file to edit when adopting this site: names, addresses and dates (promise 40).
 * Pages, legal texts, titles, sharing pictures, manifest and mail links all read it.
 */
export const brand = {
	/** The product's name, as in "Email, but make it {product}". */
	product: "Orbit",
	/** The headline's changing word, in this order. The first one stands in the static page and in titles. */
	words: ["smart", "beautiful", "useful", "personal", "curated"],
	/** The company that runs it, as the legal texts name it. */
	company: "Orbit Mail, Inc.",
	/** Where visitors write to. `.example` is reserved (RFC 2606): no real mailbox is hit by mistake. */
	email: "hello@orbit.example",
	/** Origin of canonical and sharing links, without a trailing slash. `SITE_ORIGIN` overrides it at build time. */
	origin: "https://orbit.example",
	/**
	 * Where the invited sign up: `https://app.orbit.example/sign-up`. The code of an invitation comes
	 * along as the fragment `#code=ABCD-EFGH-JKMN-PQRS`. Empty: sign-up is not open yet.
	 */
	signUp: "" as string,
	/** The day the legal texts took effect, ISO 8601. */
	legalEffectiveDate: "2026-11-21",
} as const;
