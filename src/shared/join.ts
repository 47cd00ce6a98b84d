/** What both ends of the wire say: the site's one call, its shapes and its sentences. */
import { words } from "#brand";

/** Where the form posts to and the API listens (promise 21). */
export const JOIN_PATH = "/api/waitlist/register";

/** The source label of a registration that came through this site (promise 25). */
export const SOURCE = "landing-page";

/**
 * A field of the form that nobody sees. Programs that fill in every field fill it in, and so do some
 * browsers' form fillers: the registration is marked, never refused (promise 26).
 */
export const TRAP_FIELD = "website";

/** Body of the call: as JSON, or as the fields of the form without script. */
export interface JoinRequest {
	email: string;
	source: string;
	[TRAP_FIELD]?: string;
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
