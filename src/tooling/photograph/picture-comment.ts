import { createHash } from "node:crypto";
import { emoji, fonts, inks, sky, sphere } from "../../brand.ts";
import { appIcon, favicon } from "../../site/prerender/favicon.tsx";

/**
 * The comment in the file of a sharing picture: its words, and a hash of the looks that it was taken
 * with. By it a test notices a picture that is older than the brand.
 */
export function pictureComment(words: string): string {
	return `${words} Looks: ${hashOf(JSON.stringify({ emoji, fonts, inks, sky, sphere }))}`;
}

/** The comment in the file of an icon: a hash of the mark, and of the sky behind it. */
export function iconComment(): string {
	return `Mark: ${hashOf(appIcon() + favicon() + JSON.stringify(sky.morning))}`;
}

function hashOf(text: string): string {
	return createHash("sha256").update(text).digest("hex").slice(0, 12);
}
