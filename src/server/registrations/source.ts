import { NOT_IN_ADDRESS } from "#shared/email.ts";
import { SOURCE_MAX_LENGTH } from "#shared/join.ts";

export const SOURCE_INVALID = `The source must be 1 to ${SOURCE_MAX_LENGTH} printable characters.`;

/** Combining marks and spaces alone are invisible. */
const VISIBLE = new RegExp(`(?!${NOT_IN_ADDRESS.source})[\\p{L}\\p{N}\\p{P}\\p{S}]`, "u");

/** A source is the label of the referring site. */
export function isSourceLabel(source: unknown): source is string {
	return (
		typeof source === "string" &&
		source.length <= SOURCE_MAX_LENGTH &&
		// U+FFFD replaces undecodable bytes.
		/^(?:(?!\uFFFD)[\p{L}\p{M}\p{N}\p{P}\p{S} ])+$/u.test(source) &&
		VISIBLE.test(source)
	);
}
