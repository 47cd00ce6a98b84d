import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { brand, emoji, fonts, inks, sky, sphere, words } from "../../brand.ts";

export const mark = readFileSync("src/site/mark.svg", "utf8");

const { headline, confirmation } = words;
const shown = [brand.product, headline, confirmation, emoji, fonts, inks, mark, sky, sphere];
const hash = createHash("sha256").update(JSON.stringify(shown)).digest("hex").slice(0, 12);

/** Stored in each picture file: identifies the brand it was taken with. */
export const pictureComment = `Brand: ${hash}`;
