import { Unusable } from "./unusable.ts";

/* No message repeats the value. */

/** Characters of a secret at least: more than anyone can try. */
export const LEAST_SECRET_CHARACTERS = 32;

export function parseSecret(text: string): string | undefined {
	if (text === "") return undefined;
	if (text.length >= LEAST_SECRET_CHARACTERS) return text;
	throw new Unusable(
		`must be a secret of at least ${LEAST_SECRET_CHARACTERS} characters, as openssl rand -hex 32 makes one`,
	);
}

/** One API key, or two while the product's server changes from one to the other. */
const MOST_API_KEYS = 2;

/** What a header can hold, without the comma. */
const API_KEY = /^[!-+\--~]+$/;

export function parseApiKeys(text: string): string[] {
	if (text === "") return [];
	const keys = text.split(",").map((key) => key.trim());
	const usable = keys.every((key) => key.length >= LEAST_SECRET_CHARACTERS && API_KEY.test(key));
	if (usable && keys.length <= MOST_API_KEYS) return keys;
	throw new Unusable(
		`must be one secret of at least ${LEAST_SECRET_CHARACTERS} characters, as openssl rand -hex 32 makes one, ` +
			"or two with a comma between them, each of letters, digits and signs of ASCII",
	);
}
