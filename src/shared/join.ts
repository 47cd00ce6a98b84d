/** What both ends of the wire say: the one call of the site, its shapes and its sentences. */

/** Where the form posts to and the API listens (SPEC section 7). */
export const REGISTER_PATH = "/api/waitlist/register";

/** The fixed label that identifies this site in a registration (SPEC section 3). */
export const SOURCE = "landing-page";

/**
 * A field of the form that nobody sees. Programs that fill in everything fill in this as well, and
 * so do some browsers' own form fillers: the registration is marked, never refused.
 */
export const TRAP_FIELD = "website";

/** Body of `POST /api/waitlist/register`: as JSON, or as the fields of the form without script. */
export interface RegistrationRequest {
	email: string;
	source: string;
	[TRAP_FIELD]?: string;
}

/** Answer 201: the address is on disk. */
export interface RegisteredAnswer {
	status: "registered";
}

/** Every other answer of the API: one sentence a person can read (SPEC section 7). */
export interface RefusedAnswer {
	error: string;
}

/** What the visitor reads after a success (SPEC section 4). */
export const REGISTERED_MESSAGE =
	"Thanks! You've been added to the waitlist. We'll be in touch soon! ✨";

/** What the visitor reads after a 409: a welcome, not an error (SPEC section 4). */
export const DUPLICATE_MESSAGE = "We see you. We see your inbox chaos. We got you, stay tuned! ✨";

/** What the visitor reads when the server gave no sentence, or no answer (SPEC section 8). */
export const FAILED_MESSAGE = "Failed to join waitlist. Please try again.";

/** The error text of a 409 (PRODUCT, "Behaviour where SPEC is silent"). */
export const DUPLICATE_ERROR = "This email is already on the waitlist.";
