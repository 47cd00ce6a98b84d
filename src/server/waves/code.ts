import { timingSafeEqual } from "node:crypto";
import { CODE_SIGNS, readCode, showCode } from "#shared/invitation.ts";
import { signer } from "../secret.ts";

/** Whose code it is: one person has one in each wave, in every copy of the email. */
export interface Invited {
	wave: string;
	/** The person's canonical address. */
	key: string;
}

/** Makes and recognizes the codes of invitations. Nothing about a code is stored. */
export interface Codes {
	/** `ABCD-EFGH-JKMN-PQRS`: 80 bits. */
	codeOf(invited: Invited): string;
	/** Whether somebody typed this person's code. It takes the same time for every other code. */
	isCodeOf(typed: string, invited: Invited): boolean;
}

/** Bytes of a code: 16 signs of 5 bits. */
const CODE_BYTES = 10;

/**
 * Derives the codes from the operator's secret: whoever reads the database learns none. A code is made
 * of what a restore, a move and another try leave as it is, and so every copy of an email has the same.
 *
 * @param secret the secret of the key
 */
export function createCodes(secret: string): Codes {
	const sign = signer(secret, "invitations: code", CODE_BYTES);
	const codeOf = ({ wave, key }: Invited) => showCode(base32(sign(JSON.stringify([wave, key]))));
	return {
		codeOf,
		isCodeOf(typed, invited) {
			const code = codeOf(invited);
			// What is no code is compared as well, and is never equal: no code has such a sign.
			const read = readCode(typed) ?? "-".repeat(code.length);
			return timingSafeEqual(Buffer.from(read), Buffer.from(code));
		},
	};
}

function base32(bytes: Buffer): string {
	const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, "0")).join("");
	return bits.replace(/.{5}/g, (five) => CODE_SIGNS[Number.parseInt(five, 2)]!);
}
