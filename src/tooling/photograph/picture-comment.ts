import { createHash } from "node:crypto";
import { emoji, fonts, inks, sky, sphere } from "../../brand.ts";

/**
 * The comment in the file of a sharing picture: its words, and a hash of the looks that it was taken
 * with. By it a test notices a picture that is older than the brand.
 */
export function pictureComment(words: string): string {
	const looks = JSON.stringify({ emoji, fonts, inks, sky, sphere });
	return `${words} Looks: ${createHash("sha256").update(looks).digest("hex").slice(0, 12)}`;
}
