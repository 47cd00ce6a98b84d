import { createHash, timingSafeEqual } from "node:crypto";

/** Compares two secrets in a time that depends neither on where they differ nor on their lengths. */
export function isSame(one: Buffer | string, other: Buffer | string): boolean {
	const hashOf = (secret: Buffer | string) => createHash("sha256").update(secret).digest();
	return timingSafeEqual(hashOf(one), hashOf(other));
}

/** Checks API keys in `Authorization: Bearer …` (RFC 6750, 2.1), all of them each time. */
export function bearerCheck(keys: readonly string[]): (authorization: string | null) => boolean {
	return (authorization) => {
		const [, given = ""] = /^Bearer +(\S+)$/i.exec(authorization ?? "") ?? [];
		return keys.map((key) => isSame(key, given)).includes(true);
	};
}
