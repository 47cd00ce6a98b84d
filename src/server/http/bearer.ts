import { createHash, timingSafeEqual } from "node:crypto";

/**
 * Recognizes the keys of an API in `Authorization: Bearer …` (RFC 6750, 2.1). Comparing takes the same
 * time for every wrong key, however much of it is right, and of whatever length.
 */
export function bearerCheck(keys: readonly string[]): (authorization: string | null) => boolean {
	const hashes = keys.map(hashOf);
	return (authorization) => {
		const [, given = ""] = /^Bearer +(\S+)$/i.exec(authorization ?? "") ?? [];
		const hash = hashOf(given);
		// All of them: which one it is must not show either.
		return hashes.map((known) => timingSafeEqual(known, hash)).includes(true);
	};
}

function hashOf(key: string): Buffer {
	return createHash("sha256").update(key).digest();
}
