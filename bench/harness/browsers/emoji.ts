import { findProgram } from "./find.ts";

/**
 * Makes sure that browsers have emoji to paint: on Linux they need a font that they do not bring.
 * The reference pictures show Noto's.
 * @throws one sentence when the font is missing and cannot be installed
 */
export async function findEmoji(): Promise<void> {
	if (process.platform !== "linux") return;
	await findProgram({
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
	});
}
