/** A variable has an unusable value. The message continues a sentence that starts with its name. */
export class Unusable extends Error {
	/** @param text the value, unless it is or holds a secret */
	constructor(expected: string, text?: string) {
		super(text === undefined ? expected : `${expected}, but it is ${JSON.stringify(text)}`);
	}
}

/** Characters of a secret at least: more than anyone can try. */
export const LEAST_SECRET_CHARACTERS = 32;

/** Parses a variable, and notes its problem. */
export type Read = <Value>(name: string, parse: (text: string) => Value) => Value;
