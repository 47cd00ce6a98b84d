/** What visitors read before they agree, in plain text, as the build found it in the pages. */
export interface ShownWords {
	/** The form, with what stands above and below it. */
	form: string;
	/** The legal texts, each as a whole. */
	terms: string;
	privacy: string;
	/** The page behind the link of the letter that asks to confirm. */
	confirm: string;
}

/** The file of the build with these words, beneath `dist`. */
export const SHOWN_WORDS_FILE = "shown-words.json";

/** A button in these words. */
export const buttonAsText = (label: string) => `[${label}]`;
