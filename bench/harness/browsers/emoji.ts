import { findProgram, type Program } from "./find.ts";

/** Linux may lack an emoji font. The reference pictures show Noto's. */
export const emojiFont: Program = {
	title: "A font with colored emoji",
	variable: "EMOJI_FONT",
	commands: [],
	places: [
		"/usr/share/fonts/truetype/noto/NotoColorEmoji.ttf",
		"/usr/share/fonts/noto/NotoColorEmoji.ttf",
		"/usr/share/fonts/google-noto-color-emoji-fonts/NotoColorEmoji.ttf",
	],
	packages: ["fonts-noto-color-emoji"],
	isFont: true,
};

export async function findEmojiFont(): Promise<void> {
	if (process.platform === "linux") await findProgram(emojiFont);
}
