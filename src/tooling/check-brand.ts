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

/** In `vite dev`: shows the same errors as warnings, in the terminal and below the page. */
export function warnOfBrand(): Plugin {
	let faults = "";
	return {
		name: "warn-of-brand",
		apply: (_, { command, mode }) => command === "serve" && mode !== "test",
		async configureServer({ config }) {
			faults = await findBrandFaults();
			if (faults) config.logger.warn(faults);
		},
		transformIndexHtml() {
			if (!faults) return [];
			const style =
				"position: fixed; inset: auto 0 0; margin: 0; padding: 1rem; background: #ffd; color: #000; white-space: pre-wrap";
			return [
				{
					tag: "pre",
					attrs: { style },
					children: faults.replaceAll("<", "&lt;"),
					injectTo: "body",
				},
			];
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

const RIGHT_TO_LEFT = ["Adlm", "Arab", "Hebr", "Nkoo", "Rohg", "Syrc", "Thaa"];

function badFacts({ brand }: Brand): string[] {
	const { product, email, origin, signUp, legalEffectiveDate: date, language } = brand;
	const faults: string[] = [];
	if (product.length > PRODUCT_MAX_LENGTH) {
		faults.push(
			`brand.product is "${product}", of ${product.length} characters: at most ${PRODUCT_MAX_LENGTH}, because phones show 50 of an email's subject.`,
		);
	}
	if ("error" in checkEmail(email) || !/^[!-~]+$/.test(email)) {
		faults.push(
			`brand.email is "${email}": it must be an address in plain letters, such as hello@orbit.example.`,
		);
	}
	if (!URL.canParse(origin) || !origin.startsWith("https:") || new URL(origin).origin !== origin) {
		faults.push(
			`brand.origin is "${origin}": it must be an origin by https, such as https://orbit.example, without a path or a slash at its end.`,
		);
	}
	// The invitation code becomes the fragment.
	if (signUp !== "" && !(URL.canParse(signUp) && /^https:\/\/[^#]+$/.test(signUp))) {
		faults.push(
			`brand.signUp is "${signUp}": it must be empty, or a web address by https without a fragment, such as https://app.orbit.example/sign-up.`,
		);
	}
	const day = new Date(`${date}T00:00Z`);
	if (Number.isNaN(day.getTime()) || day.toISOString().slice(0, 10) !== date) {
		faults.push(`brand.legalEffectiveDate is "${date}": it must be a day, such as 2026-11-21.`);
	}
	const script = scriptOf(language);
	if (script === undefined) {
		faults.push(
			`brand.language is "${language}": it must be a language tag (BCP 47), such as en or pt-BR.`,
		);
	} else if (RIGHT_TO_LEFT.includes(script)) {
		faults.push(
			`brand.language is "${language}", written from right to left: the pages are laid out from left to right only.`,
		);
	}
	return faults;
}

function scriptOf(language: string): string | undefined {
	try {
		const canonical = new Intl.Locale(language);
		return canonical.toString() === language ? canonical.maximize().script : undefined;
	} catch {
		return undefined;
	}
}

/** Search results truncate longer ones. */
const TITLE_MAX_LENGTH = 60;
const DESCRIPTION_LENGTH = { least: 110, most: 155 };

/** Fits two lines on a phone. */
const NOTE_MAX_LENGTH = 60;

function badWords({
	brand: { product },
	words: { title, description, headline, form },
}: Brand): string[] {
	const faults: string[] = [];
	if (form.note.length > NOTE_MAX_LENGTH) {
		faults.push(
			`words.form.note has ${form.note.length} characters: at most ${NOTE_MAX_LENGTH}, which are two lines on a phone.`,
		);
	}
	if (!title.includes(product)) {
		faults.push(`words.title is "${title}": it must name "${product}".`);
	}
	if (title.length > TITLE_MAX_LENGTH) {
		faults.push(
			`words.title is "${title}", of ${title.length} characters: at most ${TITLE_MAX_LENGTH} are shown in full.`,
		);
	}
	const { least, most } = DESCRIPTION_LENGTH;
	if (description.length < least || description.length > most) {
		faults.push(
			`words.description has ${description.length} characters: ${least} to ${most} are shown in full.`,
		);
	}
	if (headline.lines.length === 0) faults.push("words.headline.lines has no line: at least one.");
	if (headline.turning.length < 2) {
		faults.push(
			`words.headline.turning has ${headline.turning.length} words: at least 2, to change between.`,
		);
	}
	for (const [name, list] of Object.entries({ lines: headline.lines, turning: headline.turning })) {
		for (const word of repeated(list)) {
			faults.push(`words.headline.${name} has "${word}" twice: each must be there once.`);
		}
	}
	return faults;
}

function badEmoji({ emoji }: Brand): string[] {
	const faults: string[] = [];
	if (emoji.length !== EMOJI.length) {
		faults.push(
			`emoji has ${emoji.length}: it must have ${EMOJI.length}, as many as EMOJI in engine/simulation/rules.ts.`,
		);
	}
	const signs = new Intl.Segmenter();
	for (const sign of emoji) {
		if (
			[...signs.segment(sign)].length !== 1 ||
			!/\p{Extended_Pictographic}|\p{RI}|\u20E3/u.test(sign)
		) {
			faults.push(`emoji has "${sign}": each must be one emoji.`);
		}
	}
	for (const sign of repeated(emoji)) {
		faults.push(`emoji has "${sign}" twice: each must be there once.`);
	}
	return faults;
}

function repeated(list: readonly string[]): string[] {
	return [...new Set(list.filter((item, index) => list.indexOf(item) !== index))];
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
	// The button is next to the field: a wider one would hide half of an address.
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
	// A line may break at its spaces.
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
const DRAWN_BY_SYSTEM = /\p{Extended_Pictographic}|\p{RI}|\u200D|\u20E3|\uFE0F/u;

function missingLetters({ brand, words, fonts: files }: Brand, fonts: BrandFonts): string[] {
	const { headline, confirmation, notFound, form, messages } = words;
	const large = [brand.product, ...headline.lines, ...headline.turning];
	const texts = {
		display: [...large, confirmation.title, confirmation.position, notFound.title],
		text: [
			...[brand.company, brand.country, brand.postalAddress, ...brand.imprint],
			...Object.values(form),
			...[...Object.values(messages), confirmation.before, confirmation.after],
			...[notFound.joke, notFound.home],
		],
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
