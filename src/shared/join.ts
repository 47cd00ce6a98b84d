export const JOIN_PATH = "/api/waitlist/register";

export const DEFAULT_SOURCE = "landing-page";

/** In UTF-16 code units. */
export const SOURCE_MAX_LENGTH = 64;

/** The referring site, as a link parameter and as a form field. */
export const REF_FIELD = "ref";

/** Reads `?ref=` or `?utm_source=`. Keeps one character above the limit, so the server can tell the value was too long. */
export function readReferringSite(query: { get(name: string): string | null }): string | undefined {
	const ref = query.get(REF_FIELD) || query.get("utm_source");
	return ref?.slice(0, SOURCE_MAX_LENGTH + 1) || undefined;
}

/** Hidden field that bots fill in. Some browsers do too, so the join is flagged and not refused. */
export const HONEYPOT_FIELD = "website";

export interface JoinRequest {
	email: string;
	source: string;
	/** Replaces the source if it is a valid label. */
	[REF_FIELD]?: string | undefined;
	[HONEYPOT_FIELD]?: string;
}

export interface JoinedAnswer {
	status: "registered";
	/** True if a confirmation email is on its way. */
	confirm?: boolean;
}

export interface RefusedAnswer {
	error: string;
}
