import type { Plugin } from "vite";
import { EMOJI } from "../../engine/simulation/index.ts";
import * as brandFile from "../brand.ts";
import { checkEmail } from "../shared/email.ts";
import { words } from "../words/en.ts";
import { listColorFaults } from "./colors/check-colors.ts";
import type { OpenFont } from "./fonts/open-font.ts";
import { type FaceName, openFace } from "./fonts/subset-fonts.ts";
import { HEADING_SPACING_EM, WORD_PADDING_EM } from "./fonts/word-widths.ts";
import { listTexts } from "./unfinished-rebranding.ts";

/** The exports of `src/brand.ts`, and the words of the site. */
export type Brand = typeof brandFile & { words: typeof words };

export const ourBrand: Brand = { ...brandFile, words };

/** Subset to the characters the brand needs. */
export type BrandFonts = Record<FaceName, OpenFont>;

/** Errors in `src/brand.ts` and `src/words/en.ts` that stop the build. */
export async function describeBrandFaults(): Promise<string> {
	const fonts = { display: await openFace("display"), text: await openFace("text") };
	const faults = listBrandFaults(ourBrand, fonts);
	return faults.length > 0
		? `src/brand.ts and src/words/en.ts have errors:\n${faults.join("\n")}`
		: "";
}

/** Warns of brand errors when `vite dev` starts, and after edits: Vite's config imports the brand, so it restarts. */
export function warnOfBrandFaults(): Plugin {
	return {
		name: "warn-of-brand",
		apply: (_, { command, mode }) => command === "serve" && mode !== "test",
		async configureServer({ config }) {
			const faults = await describeBrandFaults();
			if (faults) config.logger.warn(faults);
		},
	};
}

/** Returns one sentence per error, with value and limit. */
export function listBrandFaults(brand: Brand, fonts: BrandFonts): string[] {
	return [
		...badTexts(brand),
		...badFacts(brand),
		...badWords(brand),
		...badEmoji(brand),
		...listColorFaults(brand),
		...tooWide(brand, fonts),
		...missingLetters(brand, fonts),
	];
}

const MAY_BE_EMPTY = "words.form.note words.notFound.joke brand.signUp brand.postalAddress".split(
	" ",
);

/** Texts that are empty, or would not be shown as written. */
function* badTexts({ brand, words }: Brand) {
	for (const [path, text] of listTexts({ brand, words })) {
		if (text === "" && MAY_BE_EMPTY.includes(path)) continue;
		if (text.trim() === "") yield `${path} must not be empty.`;
		else if (/^\s|\s$|[^\S ]|\p{Cc}/u.test(text))
			yield `${path} is ${JSON.stringify(text)}: it must be one line, without spaces at the start or end.`;
	}
}

/** Email subjects contain the name, and phones show only 50 characters of a subject. */
const PRODUCT_MAX_LENGTH = 18;

const EMOJI_SIGN = /\p{Extended_Pictographic}|\p{RI}|\u20E3/u;

const RIGHT_TO_LEFT = ["Adlm", "Arab", "Hebr", "Nkoo", "Rohg", "Syrc", "Thaa"];

function* badFacts({ brand }: Brand) {
	const { product, email, origin, signUp, legalEffectiveDate: date, language } = brand;
	if (product.length > PRODUCT_MAX_LENGTH)
		yield `brand.product is "${product}", with ${product.length} characters: at most ${PRODUCT_MAX_LENGTH}, because phones show only 50 of an email's subject.`;
	if ("error" in checkEmail(email) || !/^[!-~]+$/.test(email))
		yield `brand.email is "${email}": it must be an ASCII email address, such as hello@orbit.example.`;
	if (!/^https:/.test(origin) || !URL.canParse(origin) || new URL(origin).origin !== origin)
		yield `brand.origin is "${origin}": it must be an https origin, such as https://orbit.example, without a path or trailing slash.`;
	// The invitation code is added as the fragment.
	if (signUp !== "" && !(URL.canParse(signUp) && /^https:\/\/[^#]+$/.test(signUp)))
		yield `brand.signUp is "${signUp}": it must be empty, or an https URL without a fragment, such as https://app.orbit.example/sign-up.`;
	const day = new Date(`${date}T00:00Z`);
	if (Number.isNaN(day.getTime()) || day.toISOString().slice(0, 10) !== date)
		yield `brand.legalEffectiveDate is "${date}": it must be a day, such as 2026-11-21.`;
	const script = scriptOf(language);
	if (script === undefined)
		yield `brand.language is "${language}": it must be a language tag (BCP 47), such as en or pt-BR.`;
	else if (RIGHT_TO_LEFT.includes(script))
		yield `brand.language is "${language}", written from right to left: the pages are laid out from left to right only.`;
}

function scriptOf(language: string): string | undefined {
	try {
		const canonical = new Intl.Locale(language);
		return canonical.toString() === language ? canonical.maximize().script : undefined;
	} catch {
		return undefined;
	}
}

/** Search results truncate longer texts. */
const TITLE_MAX_LENGTH = 60;
const DESCRIPTION_LENGTH = { least: 110, most: 155 };

/** Fits two lines on a phone. */
const NOTE_MAX_LENGTH = 60;

function* badWords({ brand, words: { title, description, headline, form } }: Brand) {
	const { least, most } = DESCRIPTION_LENGTH;
	if (form.note.length > NOTE_MAX_LENGTH)
		yield `words.form.note has ${form.note.length} characters: at most ${NOTE_MAX_LENGTH}, which is two lines on a phone.`;
	if (!title.includes(brand.product))
		yield `words.title is "${title}": it must name "${brand.product}".`;
	if (title.length > TITLE_MAX_LENGTH)
		yield `words.title is "${title}", with ${title.length} characters: search results show at most ${TITLE_MAX_LENGTH}.`;
	if (description.length < least || description.length > most)
		yield `words.description has ${description.length} characters: it needs ${least} to ${most} to be shown in full.`;
	if (headline.lines.length === 0) yield "words.headline.lines needs at least one line.";
	if (headline.turning.length < 2)
		yield `words.headline.turning needs at least 2 words to rotate, and has ${headline.turning.length}.`;
	yield* repeated("words.headline.lines", headline.lines);
	yield* repeated("words.headline.turning", headline.turning);
}

function* badEmoji({ emoji }: Brand) {
	if (emoji.length !== EMOJI.length)
		yield `emoji has ${emoji.length} entries: it needs ${EMOJI.length}, as many as EMOJI in engine/simulation/rules.ts.`;
	const signs = new Intl.Segmenter();
	for (const sign of emoji) {
		if ([...signs.segment(sign)].length !== 1 || !EMOJI_SIGN.test(sign))
			yield `emoji has "${sign}": each must be one emoji.`;
	}
	yield* repeated("emoji", emoji);
}

function* repeated(path: string, list: readonly string[]) {
	const twice = new Set(list.filter((item, index) => list.indexOf(item) !== index));
	for (const item of twice) yield `${path} has "${item}" twice: each must be unique.`;
}

/** Width in px of the narrowest phone on which every word must fit. */
export const PHONE_WIDTH_PX = 360;

const ROOM = PHONE_WIDTH_PX - 2 * 20;

/**
 * Style sheet values on the narrowest phone: font size in px, letter spacing and padding in ems, room in px.
 * Headline, title and waitlist position scale to fill their room; these are their minimum sizes.
 */
export const checkedTextStyles = {
	headline: { face: "display", size: 40, spacing: HEADING_SPACING_EM, room: ROOM },
	turning: {
		face: "display",
		size: 40,
		spacing: HEADING_SPACING_EM,
		padding: 2 * WORD_PADDING_EM,
		room: ROOM,
	},
	heading: { face: "display", size: 40, spacing: HEADING_SPACING_EM, room: ROOM },
	number: { face: "display", size: 72, spacing: 0, room: ROOM },
	// Minus logo, gap and motion switch.
	masthead: { face: "display", size: 22, spacing: 0, room: ROOM - 24 - 9 - 44 },
	// A wider button would hide half of an address in the field next to it.
	button: { face: "text", size: 17, spacing: 0, room: 140 },
	// Room for one line of the footer at night, in a window of 1024 x 500.
	company: { face: "text", size: 15, spacing: 0, room: 405 },
} as const;

type Measured = [place: keyof typeof checkedTextStyles, path: string, text: string];

function* tooWide(
	{ brand, words: { headline, confirmation, notFound, form } }: Brand,
	fonts: BrandFonts,
) {
	const texts: Measured[] = [
		["masthead", "brand.product", brand.product],
		["company", "brand.company", brand.company],
		...inWords("headline", "words.headline.lines", ...headline.lines),
		...inWords("turning", "words.headline.turning", ...headline.turning),
		...inWords("heading", "words.confirmation.title", confirmation.title),
		...inWords("heading", "words.notFound.title", notFound.title),
		["number", "words.confirmation.position", confirmation.position],
		["button", "words.form.button", form.button],
		["button", "words.form.joining", form.joining],
	];
	for (const [place, path, text] of texts) {
		const { face, size, spacing, room, padding = 0 } = { padding: 0, ...checkedTextStyles[place] };
		const letters = [...text];
		const width = size * (fonts[face].widthOf(letters) + letters.length * spacing + padding);
		const where = place === "company" ? "in the footer" : `on a phone of ${PHONE_WIDTH_PX} px`;
		if (width > room)
			yield `${path} has "${text}", which is ${Math.ceil(width)} px wide ${where}: at most ${room} px.`;
	}
}

/** Lines break at spaces, so each word has to fit. */
const inWords = (place: Measured[0], path: string, ...texts: string[]) =>
	texts.flatMap((text) => text.split(" ").map((word): Measured => [place, path, word]));

const DRAWN_BY_SYSTEM = new RegExp(`${EMOJI_SIGN.source}|\u200D|\uFE0F`, "u");

function* missingLetters({ brand, words, fonts: files }: Brand, fonts: BrandFonts) {
	const { headline, confirmation, notFound } = words;
	const large = [brand.product, ...headline.lines, ...headline.turning];
	const texts = {
		display: [...large, confirmation.title, confirmation.position, notFound.title],
		text: listTexts({ brand, words }).map(([, text]) => text),
	};
	for (const name of ["display", "text"] as const) {
		const known = (letter: string) => fonts[name].has(letter) || DRAWN_BY_SYSTEM.test(letter);
		const missing = [...new Set(texts[name].join(""))].filter((letter) => !known(letter));
		const letters = missing.map((letter) => `"${letter}"`).join(", ");
		if (missing.length > 0)
			yield `fonts.${name}.files has "${files[name].files[0]}", which has no ${letters}: add its package's file for that script, reword the text, or choose another font.`;
	}
}
