/** What both ends of the wire say: the site's one call, its shapes and its sentences. */
import { words } from "#brand";

/** Where the form posts to and the API listens (promise 21). */
export const JOIN_PATH = "/api/waitlist/register";

/** The source label of a registration that came through this site (promise 25). */
export const SOURCE = "landing-page";

/** The longest source label, in UTF-16 code units. */
export const SOURCE_MAX_LENGTH = 64;

/** The field that says where the visitor came from; the parameter of a link has the same name. */
export const REF_FIELD = "ref";

/**
 * Where the visitor came from, as the link says that led to the landing page: `?ref=`, else
 * `?utm_source=`. Anybody may make up a link: only the server decides whether it can be a label.
 *
 * @param query of the page's address, as `URLSearchParams`
 * @returns at most one code unit more than a label may have
 */
export function refIn(query: { get(name: string): string | null }): string | undefined {
	const ref = query.get(REF_FIELD) || query.get("utm_source");
	return ref?.slice(0, SOURCE_MAX_LENGTH + 1) || undefined;
}

/**
 * A field of the form that nobody sees. Programs that fill in every field fill it in, and so do some
 * browsers' form fillers: the registration is marked, never refused (promise 26).
 */
export const HONEYPOT_FIELD = "website";

/** Body of the call: as JSON, or as the fields of the form without script. */
export interface JoinRequest {
	email: string;
	source: string;
	/** Takes the place of the source if it can be a label, and is passed over otherwise. */
	[REF_FIELD]?: string | undefined;
	[HONEYPOT_FIELD]?: string;
}

/** Answer 201: the registration is on disk (promise 27). */
export interface JoinedAnswer {
	status: "registered";
}

/** Every other answer of the API: one sentence that the visitor can read (promise 22). */
export interface RefusedAnswer {
	error: string;
}

/** What the visitor reads after a join (promise 16). */
export const JOINED_MESSAGE: string = words.messages.joined;

/** What the visitor reads after a 409: a welcome, not an error (promise 17). */
export const DUPLICATE_MESSAGE: string = words.messages.duplicate;

/** What the visitor reads where the server gave no sentence, or no answer (promise 19). */
export const FAILED_MESSAGE: string = words.messages.failed;

/** The error text of a 409 (promise 21). */
export const DUPLICATE_ERROR = "This email is already on the waitlist.";
