/** The texts that visitors see before they agree. The build extracts them from the pages. */
export interface ShownWords {
	form: string;
	terms: string;
	privacy: string;
	/** The page behind the link of a confirmation email. */
	confirm: string;
}

export const SHOWN_WORDS_FILE = "shown-words.json";

export const buttonAsText = (label: string) => `[${label}]`;
