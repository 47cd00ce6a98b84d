/** Reports of which nobody says that they do not want the letter. */
const NO_COMPLAINT = new Set(["not-spam", "auth-failure", "virus"]);

/**
 * Whether feedback of a type (RFC 5965, 7.3) is a complaint.
 *
 * @param type "" where whoever reports does not say
 */
export function isComplaint(type: string): boolean {
	return !NO_COMPLAINT.has(type.trim().toLowerCase());
}
