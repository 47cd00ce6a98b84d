/**
 * The texts visitors see before they agree, as plain text, extracted from the pages at build time.
 */
export interface ShownWords {
	/** The form, with the lines above and below it. */
	form: string;
	terms: string;
	privacy: string;
	/** The page behind the link of a confirmation email. */
	confirm: string;
}

/** Path in `dist`. */
export const SHOWN_WORDS_FILE = "shown-words.json";

export const buttonAsText = (label: string) => `[${label}]`;
