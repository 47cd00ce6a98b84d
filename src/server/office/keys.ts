import { createHash, randomBytes } from "node:crypto";
import type { Query } from "../database/database.ts";
import { signedTokens, signer } from "../secret.ts";
import type { Settings } from "../settings.ts";
import { openSecret } from "../waitlist/proofs/open-secret.ts";

/** Makes and recognizes secrets of one kind. */
export interface Tokens {
	/** A new one: random bytes and their signature, for an address or a cookie. */
	make(): string;
	/** What the database knows of a token; undefined where we did not make it. */
	hashOf(token: string): string | undefined;
}

/** What the office signs with, all of it derived from the operator's one secret. */
export interface OfficeKeys {
	links: Tokens;
	sessions: Tokens;
	/**
	 * Names the cookie. A browser sends the cookies of 127.0.0.1 to every port of it, so that two
	 * installations on one machine need two names.
	 */
	cookie: string;
}

const KEY_MISSING =
	"WAITLIST_OFFICE_PORT is set, but the key that the office signs with is missing: set " +
	"WAITLIST_ERASURE_KEY to a secret (openssl rand -hex 32 makes one), the same for the server and " +
	"the command";

/**
 * Derives what the office signs with. Another secret makes other keys: every link and session of before
 * is then worth nothing.
 *
 * @throws Error with a sentence for the operator when there is no secret, or the wrong one
 */
export async function openOfficeKeys(
	settings: Pick<Settings, "database" | "erasureKey" | "erasures">,
	query: Query,
): Promise<OfficeKeys> {
	return createOfficeKeys(await openSecret(settings, query, KEY_MISSING));
}

/** @param secret the secret of the erasure key */
export function createOfficeKeys(secret: string): OfficeKeys {
	return {
		links: createTokens(secret, "office: link"),
		sessions: createTokens(secret, "office: session"),
		cookie: `office-${signer(secret, "office: cookie", 6)("").toString("hex")}`,
	};
}

/** Bytes of the random part: it cannot be guessed. */
const RANDOM = 32;

function createTokens(secret: string, purpose: string): Tokens {
	const tokens = signedTokens(secret, purpose, RANDOM);
	return {
		make: () => tokens.make(randomBytes(RANDOM)),
		hashOf(token) {
			const { bytes, genuine } = tokens.read(token);
			return genuine ? createHash("sha256").update(bytes).digest("hex") : undefined;
		},
	};
}
