/** The texts that visitors see before they join or confirm. The server stores them as proof of consent. */
export interface ShownWords {
	form: string;
	terms: string;
	privacy: string;
	/** The page behind the link of a confirmation email. */
	confirm: string;
}

export const SHOWN_WORDS_FILE = "shown-words.json";

export const buttonAsText = (label: string) => `[${label}]`;
