/** The longest label of a site that is kept. */
const SOURCE_MAX_LENGTH = 64;

/** Why a label is refused. */
export const SOURCE_INVALID = `The source must be 1 to ${SOURCE_MAX_LENGTH} printable characters.`;

/** Whether a value can be the label of the site that a registration came from. */
export function isSourceLabel(source: unknown): source is string {
	return (
		typeof source === "string" &&
		source.length <= SOURCE_MAX_LENGTH &&
		/^[\p{L}\p{M}\p{N}\p{P}\p{S} ]+$/u.test(source)
	);
}
