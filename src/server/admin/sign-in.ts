import type { Call } from "../http/call.ts";
import { mediaType } from "../http/fields.ts";
import { createMeter } from "../http/meter.ts";
import { signer } from "../secret.ts";
import type { Rate } from "../settings/rates.ts";
import { SESSION_HOURS } from "./sessions.ts";

/** Why the admin pages cannot start without the secret. */
export const ADMIN_KEY_MISSING =
	"WAITLIST_ADMIN_PORT is set, but the key that the office signs with is missing: set " +
	"WAITLIST_SECRET to a secret (openssl rand -hex 32 makes one), the same for the server and " +
	"the command";

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
	/** The tokens in a request, which may be forged. */
	tokensIn(call: Pick<Call, "header">): string[];
}

/**
 * Behind TLS the name begins with `__Host-`: a browser then takes the cookie from this very host alone.
 * Without TLS any port of the same address can set cookies of our name, also for a longer path, which
 * are sent first, and also with what we signed long ago: each one is tried. A header of 16 kB, the most
 * that Node takes, has fewer than 260 of them.
 *
 * The name differs by installation, because a browser sends the cookies of 127.0.0.1 to every port of it.
 */
export function sessionCookie(secret: string, isSecure: boolean): SessionCookie {
	const cookie = `admin-${signer(secret, "admin: cookie", 6)("").toString("hex")}`;
	const name = isSecure ? `__Host-${cookie}` : cookie;
	const attributes = `Path=/; HttpOnly; SameSite=Strict${isSecure ? "; Secure" : ""}`;
	return {
		set: (token) => `${name}=${token}; Max-Age=${SESSION_HOURS * 3600}; ${attributes}`,
		remove: () => `${name}=; Max-Age=0; ${attributes}`,
		tokensIn: ({ header }) =>
			(header("cookie") ?? "")
				.split(";")
				.map((pair) => pair.trim())
				.filter((pair) => pair.startsWith(`${name}=`))
				.map((pair) => pair.slice(name.length + 1)),
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
