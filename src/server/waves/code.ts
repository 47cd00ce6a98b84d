import { timingSafeEqual } from "node:crypto";
import { CODE_CHARACTERS, formatCode, parseCode } from "#shared/invitation.ts";
import { createSigner } from "../secret.ts";

interface Invited {
	wave: string;
	key: string;
}

export type InvitationCoder = ReturnType<typeof createInvitationCoder>;

/** 80 bits: 16 characters of 5 bits. */
const CODE_BYTES = 10;

/** Codes are derived and never stored, so they survive restores, migrations and retries. */
export function createInvitationCoder(secret: string) {
	const sign = createSigner(secret, "invitations: code", CODE_BYTES);
	const codeOf = ({ wave, key }: Invited) => formatCode(base32(sign(JSON.stringify([wave, key]))));
	return {
		codeOf,
		/** Compares in constant time. */
		isCodeOf(typed: string, invited: Invited): boolean {
			const code = codeOf(invited);
			const read = parseCode(typed) ?? "-".repeat(code.length);
			return timingSafeEqual(Buffer.from(read), Buffer.from(code));
		},
	};
}

function base32(bytes: Buffer): string {
	const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, "0")).join("");
	return bits.replace(/.{5}/g, (five) => CODE_CHARACTERS[Number.parseInt(five, 2)]!);
}
