import { NOT_IN_ADDRESS } from "#shared/email.ts";
import { SOURCE_MAX_LENGTH } from "#shared/join.ts";

/** Why a source is refused. */
export const SOURCE_INVALID = `The source must be 1 to ${SOURCE_MAX_LENGTH} printable characters.`;

/** Combining marks and spaces show nothing by themselves, nor does what no address may hold. */
const VISIBLE = new RegExp(`(?!${NOT_IN_ADDRESS.source})[\\p{L}\\p{N}\\p{P}\\p{S}]`, "u");

/** Whether a value can be a source: the label of the site that a registration came from. */
export function isSourceLabel(source: unknown): source is string {
	return (
		typeof source === "string" &&
		source.length <= SOURCE_MAX_LENGTH &&
		// Of the symbols, U+FFFD stands for what could not be read.
		/^(?:(?!\uFFFD)[\p{L}\p{M}\p{N}\p{P}\p{S} ])+$/u.test(source) &&
		VISIBLE.test(source)
	);
}
