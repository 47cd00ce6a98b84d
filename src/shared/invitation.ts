/** What the site, the server and whoever types a code say about invitations. */

/** The page that the link of an invitation leads to. The code follows as a fragment: no log holds it. */
export const INVITATION_PATH = "/invitation";

/** Where the product's own server redeems a code. */
export const REDEEM_PATH = "/api/invitations/redeem";

/** Crockford's base 32 (crockford.com/base32.html): no letter of it looks like another or a digit. */
export const CODE_SIGNS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";

/** Signs of a code: 80 bits. */
const CODE_LENGTH = 16;

/** No spelling of a code that anybody types is longer. */
const TYPED_MAX_LENGTH = 64;

/** A code as letters show it: `ABCD-EFGH-JKMN-PQRS`. */
export function showCode(signs: string): string {
	return signs.replace(/.{4}(?=.)/g, "$&-");
}

/**
 * Reads a code as people type it: in any case, with or without spaces and hyphens, with O for 0, and
 * with I or L for 1.
 *
 * @returns the code as {@link showCode} gives it; undefined for what is no code, whoever made it
 */
export function readCode(text: string): string | undefined {
	if (text.length > TYPED_MAX_LENGTH) return undefined;
	const signs = text
		.replace(/[\s\p{Pd}]/gu, "")
		.replace(/[a-z]/g, (letter) => letter.toUpperCase())
		.replace(/O/g, "0")
		.replace(/[IL]/g, "1");
	const isCode = signs.length === CODE_LENGTH && [...signs].every((s) => CODE_SIGNS.includes(s));
	return isCode ? showCode(signs) : undefined;
}
