import { findProgram, type Program } from "./find.ts";

/** On Linux browsers need a font with emoji that they do not bring. The reference pictures show Noto's. */
export const emojiFont: Program = {
	title: "A font with coloured emoji",
	variable: "EMOJI_FONT",
	commands: [],
	places: [
		"/usr/share/fonts/truetype/noto/NotoColorEmoji.ttf",
		"/usr/share/fonts/noto/NotoColorEmoji.ttf",
		"/usr/share/fonts/google-noto-color-emoji-fonts/NotoColorEmoji.ttf",
	],
	packages: ["fonts-noto-color-emoji"],
	isRead: true,
};

/**
 * Makes sure that browsers have emoji to paint.
 * @throws one sentence when the font is missing and cannot be installed
 */
export async function findEmoji(): Promise<void> {
	if (process.platform === "linux") await findProgram(emojiFont);
}
