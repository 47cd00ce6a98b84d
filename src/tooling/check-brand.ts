import type { Plugin } from "vite";
import { EMOJI } from "../../engine/simulation/index.ts";
import * as brandFile from "../brand.ts";
import { checkEmail } from "../shared/email.ts";
import { words } from "../words/en.ts";
import { badColors } from "./colors/check-colors.ts";
import type { OpenFont } from "./fonts/open-font.ts";
import { type FaceName, openFace } from "./fonts/subset-fonts.ts";
import { TIGHT, WORD_PADDING } from "./fonts/word-widths.ts";
import { textsIn } from "./leftovers.ts";

/** The exports of `src/brand.ts`, and the words of the site. */
export type Brand = typeof brandFile & { words: typeof words };

export const ours: Brand = { ...brandFile, words };

/** The site's fonts, subset to the characters the brand needs. */
export type BrandFonts = Record<FaceName, OpenFont>;

/** Errors in `src/brand.ts` and `src/words/en.ts` that stop the build. */
export async function findBrandFaults(): Promise<string> {
	const fonts = { display: await openFace("display"), text: await openFace("text") };
	const faults = brandFaults(ours, fonts);
	return faults.length > 0
		? `src/brand.ts and src/words/en.ts have errors:\n${faults.join("\n")}`
		: "";
}

/** In `vite dev`, warns of errors in the brand after each edit. */
export function warnOfBrand(): Plugin {
	return {
		name: "warn-of-brand",
		apply: (_, { command, mode }) => command === "serve" && mode !== "test",
		async configureServer({ config }) {
			const faults = await findBrandFaults();
			if (faults) config.logger.warn(faults);
		},
	};
}

/** Checks a brand; returns one sentence per error, with value and limit. */
export function brandFaults(brand: Brand, fonts: BrandFonts): string[] {
	return [
		...badTexts(brand),
		...badFacts(brand),
		...badWords(brand),
		...badEmoji(brand),
		...badColors(brand),
		...tooWide(brand, fonts),
		...missingLetters(brand, fonts),
	];
}

const MAY_BE_EMPTY = [
	...["words.form.note", "words.notFound.joke"],
	...["brand.signUp", "brand.postalAddress"],
];

/** Texts that are empty, or would not be shown as written. */
function badTexts({ brand, words }: Brand): string[] {
	return textsIn({ brand, words }).flatMap(([path, text]) => {
		if (text === "" && MAY_BE_EMPTY.includes(path)) return [];
		if (text.trim() === "") return [`${path} is empty: it must say something.`];
		if (/^\s|\s$|[^\S ]|\p{Cc}/u.test(text)) {
			return [
				`${path} is ${JSON.stringify(text)}: it must be one line, without spaces at its ends.`,
			];
		}
		return [];
	});
}

/** Longer names would push email subjects past 50 characters, which is what phones show. */
const PRODUCT_MAX_LENGTH = 18;

const EMOJI_SIGN = /\p{Extended_Pictographic}|\p{RI}|\u20E3/u;

const RIGHT_TO_LEFT = ["Adlm", "Arab", "Hebr", "Nkoo", "Rohg", "Syrc", "Thaa"];

/** Returns the sentence in an array, or an empty array if nothing is wrong. */
const fault = (isWrong: boolean, sentence: string) => (isWrong ? [sentence] : []);

function badFacts({ brand }: Brand): string[] {
	const { product, email, origin, signUp, legalEffectiveDate: date, language } = brand;
	const day = new Date(`${date}T00:00Z`);
	const script = scriptOf(language);
	return [
		...fault(
			product.length > PRODUCT_MAX_LENGTH,
			`brand.product is "${product}", of ${product.length} characters: at most ${PRODUCT_MAX_LENGTH}, because phones show 50 of an email's subject.`,
		),
		...fault(
			"error" in checkEmail(email) || !/^[!-~]+$/.test(email),
			`brand.email is "${email}": it must be an address in plain letters, such as hello@orbit.example.`,
		),
		...fault(
			!/^https:/.test(origin) || !URL.canParse(origin) || new URL(origin).origin !== origin,
			`brand.origin is "${origin}": it must be an origin by https, such as https://orbit.example, without a path or a slash at its end.`,
		),
		// The invitation code is added as the fragment.
		...fault(
			signUp !== "" && !(URL.canParse(signUp) && /^https:\/\/[^#]+$/.test(signUp)),
			`brand.signUp is "${signUp}": it must be empty, or a web address by https without a fragment, such as https://app.orbit.example/sign-up.`,
		),
		...fault(
			Number.isNaN(day.getTime()) || day.toISOString().slice(0, 10) !== date,
			`brand.legalEffectiveDate is "${date}": it must be a day, such as 2026-11-21.`,
		),
		...fault(
			script === undefined,
			`brand.language is "${language}": it must be a language tag (BCP 47), such as en or pt-BR.`,
		),
		...fault(
			RIGHT_TO_LEFT.includes(script ?? ""),
			`brand.language is "${language}", written from right to left: the pages are laid out from left to right only.`,
		),
	];
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

/** A note of this length fits two lines on a phone. */
const NOTE_MAX_LENGTH = 60;

function badWords({ brand, words: { title, description, headline, form } }: Brand): string[] {
	const { least, most } = DESCRIPTION_LENGTH;
	return [
		...fault(
			form.note.length > NOTE_MAX_LENGTH,
			`words.form.note has ${form.note.length} characters: at most ${NOTE_MAX_LENGTH}, which are two lines on a phone.`,
		),
		...fault(
			!title.includes(brand.product),
			`words.title is "${title}": it must name "${brand.product}".`,
		),
		...fault(
			title.length > TITLE_MAX_LENGTH,
			`words.title is "${title}", of ${title.length} characters: at most ${TITLE_MAX_LENGTH} are shown in full.`,
		),
		...fault(
			description.length < least || description.length > most,
			`words.description has ${description.length} characters: ${least} to ${most} are shown in full.`,
		),
		...fault(headline.lines.length === 0, "words.headline.lines has no line: at least one."),
		...fault(
			headline.turning.length < 2,
			`words.headline.turning has ${headline.turning.length} words: at least 2, to change between.`,
		),
		...repeated("words.headline.lines", headline.lines),
		...repeated("words.headline.turning", headline.turning),
	];
}

function badEmoji({ emoji }: Brand): string[] {
	const signs = new Intl.Segmenter();
	const isEmoji = (text: string) => [...signs.segment(text)].length === 1 && EMOJI_SIGN.test(text);
	return [
		...fault(
			emoji.length !== EMOJI.length,
			`emoji has ${emoji.length}: it must have ${EMOJI.length}, as many as EMOJI in engine/simulation/rules.ts.`,
		),
		...emoji.flatMap((sign) =>
			fault(!isEmoji(sign), `emoji has "${sign}": each must be one emoji.`),
		),
		...repeated("emoji", emoji),
	];
}

function repeated(path: string, list: readonly string[]): string[] {
	const twice = new Set(list.filter((item, index) => list.indexOf(item) !== index));
	return [...twice].map((item) => `${path} has "${item}" twice: each must be there once.`);
}

/** Width in px of the narrowest phone on which every word must fit its place. */
export const PHONE = 360;

/** Width between the gutters of such a phone. */
const ROOM = PHONE - 2 * 20;

/**
 * Style sheet values on that phone: font size in px, letter spacing and padding in ems, room in px.
 * The largest words scale to fill their room: these are the widest allowed.
 */
export const places = {
	headline: { face: "display", size: 40, spacing: TIGHT, room: ROOM },
	turning: { face: "display", size: 40, spacing: TIGHT, padding: 2 * WORD_PADDING, room: ROOM },
	heading: { face: "display", size: 40, spacing: TIGHT, room: ROOM },
	number: { face: "display", size: 72, spacing: 0, room: ROOM },
	// Minus logo, gap and motion switch.
	masthead: { face: "display", size: 22, spacing: 0, room: ROOM - 24 - 9 - 44 },
	// A wider button would hide half of an email in the field next to it.
	button: { face: "text", size: 17, spacing: 0, room: 140 },
	// One line on the night's planet, in a window of 1024 x 500.
	company: { face: "text", size: 15, spacing: 0, room: 405 },
} as const;

function tooWide({ brand, words }: Brand, fonts: BrandFonts): string[] {
	const measure = (path: string, text: string, place: keyof typeof places): string[] => {
		const { face, size, spacing, room, padding = 0 } = { padding: 0, ...places[place] };
		const letters = [...text];
		const width = size * (fonts[face].widthOf(letters) + letters.length * spacing + padding);
		if (width <= room) return [];
		return [
			`${path} has "${text}", which is ${Math.ceil(width)} px wide ${place === "company" ? "in the footer" : `on a phone of ${PHONE} px`}: at most ${room} px.`,
		];
	};
	// Measured word by word, because lines break at spaces.
	const measureWords = (path: string, text: string, place: keyof typeof places) =>
		text.split(" ").flatMap((word) => measure(path, word, place));
	return [
		...measure("brand.product", brand.product, "masthead"),
		...measure("brand.company", brand.company, "company"),
		...words.headline.lines.flatMap((line) =>
			measureWords("words.headline.lines", line, "headline"),
		),
		...words.headline.turning.flatMap((word) =>
			measureWords("words.headline.turning", word, "turning"),
		),
		...measureWords("words.confirmation.title", words.confirmation.title, "heading"),
		...measureWords("words.notFound.title", words.notFound.title, "heading"),
		...measure("words.confirmation.position", words.confirmation.position, "number"),
		...measure("words.form.button", words.form.button, "button"),
		...measure("words.form.joining", words.form.joining, "button"),
	];
}

/** Characters drawn by the system: emoji. */
const DRAWN_BY_SYSTEM = new RegExp(`${EMOJI_SIGN.source}|\u200D|\uFE0F`, "u");

function missingLetters({ brand, words, fonts: files }: Brand, fonts: BrandFonts): string[] {
	const { headline, confirmation, notFound } = words;
	const large = [brand.product, ...headline.lines, ...headline.turning];
	const texts = {
		display: [...large, confirmation.title, confirmation.position, notFound.title],
		text: textsIn({ brand, words }).map(([, text]) => text),
	};
	return (["display", "text"] as const).flatMap((name) => {
		const { has } = fonts[name];
		const missing = new Set(
			texts[name]
				.flatMap((text) => [...text])
				.filter((letter) => !has(letter) && !DRAWN_BY_SYSTEM.test(letter)),
		);
		if (missing.size === 0) return [];
		const letters = [...missing].map((letter) => `"${letter}"`).join(", ");
		return [
			`fonts.${name}.files has "${files[name].files[0]}", which has no ${letters}: add the file of its package for that script, say it otherwise, or take another font.`,
		];
	});
}
