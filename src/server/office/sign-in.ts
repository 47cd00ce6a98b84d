import type { Call } from "../http/call.ts";
import { mediaType } from "../http/fields.ts";
import { createMeter } from "../http/meter.ts";
import type { Rate } from "../settings/rates.ts";
import type { OfficeKeys } from "./keys.ts";
import { SESSION_HOURS } from "./sessions.ts";

/** What the address of a link begins with. Its token follows. */
export const SIGN_IN_PATH = "/sign-in/";

/** The path of a link. */
export const signInPath = (token: string) => SIGN_IN_PATH + token;

/** How many forged links are looked at. Right ones are never counted, so that nobody can lock her out. */
const FORGED: Rate = { count: 20, periodMs: 600_000 };

/** Counts forged links, of everybody together: behind a proxy all come from one address. */
export function countForged(now = () => performance.now()): () => number {
	const meter = createMeter(FORGED);
	return () => {
		const nowMs = now();
		const waitMs = meter.waitMs("", nowMs);
		if (waitMs === 0) meter.count("", nowMs);
		return Math.ceil(waitMs / 1000);
	};
}

/** The cookie of a session. */
export interface SessionCookie {
	/** Header that sets it. */
	set(token: string): string;
	/** Header that removes it. */
	remove(): string;
	/** What the database knows of the sessions in a request, by each cookie that we signed. */
	hashesIn(call: Pick<Call, "header">): Set<string>;
}

/**
 * Behind TLS the name begins with `__Host-`: a browser then takes the cookie from this very host alone.
 * Without TLS any port of the same address can set cookies of our name, also for a longer path, which
 * are sent first, and also with what we signed long ago: each one that we signed is tried. A header of
 * 16 kB, the most that Node takes, has fewer than 140 of them.
 */
export function sessionCookie({ cookie, sessions }: OfficeKeys, isSecure: boolean): SessionCookie {
	const name = isSecure ? `__Host-${cookie}` : cookie;
	const attributes = `Path=/; HttpOnly; SameSite=Strict${isSecure ? "; Secure" : ""}`;
	return {
		set: (token) => `${name}=${token}; Max-Age=${SESSION_HOURS * 3600}; ${attributes}`,
		remove: () => `${name}=; Max-Age=0; ${attributes}`,
		hashesIn({ header }) {
			const hashes = new Set<string>();
			for (const pair of (header("cookie") ?? "").split(";")) {
				const cookie = pair.trim();
				if (!cookie.startsWith(`${name}=`)) continue;
				const hash = sessions.hashOf(cookie.slice(name.length + 1));
				if (hash !== undefined) hashes.add(hash);
			}
			return hashes;
		},
	};
}

/** The fields of a form of ours; undefined for what no form of ours sends. */
export async function readForm(
	call: Call,
	mostBytes?: number,
): Promise<URLSearchParams | undefined> {
	if (call.header("content-encoding") !== null) return undefined;
	const body = await call.readBody(mostBytes);
	if ("refused" in body) return undefined;
	// A form without fields has no body, and need not name its type.
	if (body.text === "") return new URLSearchParams();
	if (mediaType(call) !== "application/x-www-form-urlencoded") return undefined;
	return new URLSearchParams(body.text);
}
