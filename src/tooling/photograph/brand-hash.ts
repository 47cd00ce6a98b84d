import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { brand, emoji, fonts, inks, sky, sphere } from "../../brand.ts";
import { words } from "../../words/en.ts";

export const logoSvg = readFileSync("src/site/mark.svg", "utf8");

const { headline } = words;
const { title, before, position, after } = words.confirmation;
const confirmation = { title, before, position, after };
const shown = [brand.product, headline, confirmation, emoji, fonts, inks, logoSvg, sky, sphere];

/** `npm run photograph` writes this hash to sphere.css, so a build notices outdated pictures. */
export const brandHash = createHash("sha256")
	.update(JSON.stringify(shown))
	.digest("hex")
	.slice(0, 12);
