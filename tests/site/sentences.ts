import { words } from "#words";

export const {
	joined: thanks,
	duplicate: again,
	failed,
	emailMissing: missing,
	emailInvalid: invalid,
} = words.messages;

const { lines, turning, and } = words.headline;

/** The headline without its rotating word. */
export const headlineStart = lines.join(" ");

/** The headline's accessible name. */
export const headline = `${headlineStart} ${turning.slice(0, -1).join(", ")} ${and} ${turning.at(-1)}`;

export const [firstWord = "", secondWord = ""] = turning;
