/** Where the form posts to and the API listens (SPEC section 7). */
export const REGISTER_PATH = "/api/waitlist/register";

/** The fixed label that identifies this site in a registration (SPEC section 3). */
export const SOURCE = "landing-page";

/** Body of `POST /api/waitlist/register`. */
export interface RegistrationRequest {
	email: string;
	source: string;
}
