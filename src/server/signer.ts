import { createHmac, hkdfSync } from "node:crypto";

/** Gives the first bytes of an HMAC-SHA256 (truncated as in RFC 2104, 5). */
export type Sign = (text: Buffer | string) => Buffer;

/**
 * Derives a key for one purpose from the operator's secret (HKDF, RFC 5869), so that a code of one
 * purpose is none of another.
 *
 * @param secret the secret of the erasure key
 * @param length bytes of each code
 */
export function signer(secret: string, purpose: string, length: number): Sign {
	const key = Buffer.from(hkdfSync("sha256", secret, "", purpose, 32));
	return (text) => createHmac("sha256", key).update(text).digest().subarray(0, length);
}
