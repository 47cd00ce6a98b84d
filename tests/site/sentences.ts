import { words } from "#brand";

/** What the visitor reads in the end (promises 16, 17, 19 and 20). */
export const {
	joined: thanks,
	duplicate: again,
	failed,
	emailMissing: missing,
	emailInvalid: invalid,
} = words.messages;

const { lines, turning, and } = words.headline;

/** How the headline begins. */
export const headlineStart = lines.join(" ");

/** The headline as assistive technology hears it. */
export const headline = `${headlineStart} ${turning.slice(0, -1).join(", ")} ${and} ${turning.at(-1)}`;

/** The headline's changing words. */
export const [firstWord = "", secondWord = ""] = turning;
