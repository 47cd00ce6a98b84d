import type { Query } from "../../database/database.ts";
import { findGap, type Gap, gapAsText } from "../../letters/gaps.ts";

/** The help of `--despite-gap`, which every command has that chooses new people to write to. */
export const DESPITE_GAP_HELP =
	"after a restore: also people who may have been written to between backup and restore";

/** Says to the operator that some people may get a second letter. */
export function despiteGapAsText(gap: Gap): string {
	return `${gapAsText(gap)} This list was restored, and some of these people may have had a letter then.`;
}

/**
 * Nobody is written to twice without the operator knowing, also after a restore.
 *
 * @param since the earliest time at which these people joined, ISO 8601
 * @throws Error with a sentence for the operator where nobody knows what these people were sent
 */
export async function refuseInGap(query: Query, since = ""): Promise<void> {
	const gap = await findGap(query);
	if (!gap || since >= gap.until) return;
	throw new Error(
		[
			`Nothing was sent. ${despiteGapAsText(gap)}`,
			"Mark what went out, by your mail provider's log: `waitlist sent --file log.csv`, with --wave for",
			"a wave that the backup does not know. When all is marked: `waitlist sent --complete`.",
			"Or use --despite-gap, which may send a second letter to some of them.",
		].join("\n"),
	);
}
