import { isSame } from "./same.ts";

/**
 * Recognizes the keys of an API in `Authorization: Bearer …` (RFC 6750, 2.1). Comparing takes the same
 * time for every wrong key, however much of it is right, and of whatever length.
 */
export function bearerCheck(keys: readonly string[]): (authorization: string | null) => boolean {
	return (authorization) => {
		const [, given = ""] = /^Bearer +(\S+)$/i.exec(authorization ?? "") ?? [];
		// All of them: which one it is must not show either.
		return keys.map((key) => isSame(key, given)).includes(true);
	};
}
