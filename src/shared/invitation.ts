/** The code is the URL's fragment, so no log contains it. */
export const INVITATION_PATH = "/invitation";

/** The product's own server calls this path to redeem codes. */
export const REDEEM_PATH = "/api/invitations/redeem";

/** Crockford's base 32 (crockford.com/base32.html): no two characters look alike. */
export const CODE_CHARACTERS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";

const CODE_LENGTH = 16;

const TYPED_MAX_LENGTH = 64;

export function formatCode(signs: string): string {
	return signs.replace(/.{4}(?=.)/g, "$&-");
}

/** Parses a code as people type it: in any case, with spaces or hyphens, O for 0, I or L for 1. */
export function parseCode(text: string): string | undefined {
	if (text.length > TYPED_MAX_LENGTH) return undefined;
	const signs = text
		.replace(/[\s\p{Pd}]/gu, "")
		.replace(/[a-z]/g, (letter) => letter.toUpperCase())
		.replace(/O/g, "0")
		.replace(/[IL]/g, "1");
	const isCode =
		signs.length === CODE_LENGTH && [...signs].every((s) => CODE_CHARACTERS.includes(s));
	return isCode ? formatCode(signs) : undefined;
}
