import type { words as ours } from "../../brand.ts";
import type { Ink, OpenFont } from "./open-font.ts";

/** Space between the letters of headings, in ems. */
export const TIGHT = -0.01;

/** What stands left and right of a changing word, in ems, for letters that overhang. */
export const WORD_PADDING = 0.06;

/** Height of a line of the headline at least, in ems. */
const LEAST_LEADING = 0.96;

/** Between the letters of two lines of the headline, in ems: at their sides, and above one another. */
const APART = 0.06;

/** What there is at least above and below the line of a changing word, in ems. */
const LEAST_ROOM = { above: 0.12, below: 0.14 };

/** Between the letters of a changing word and the edge where they fade as they turn, in ems: `.words` in pages.css. */
const CLEAR = { above: 0.14, below: 0.08 };

/**
 * How wide the lines of a title are in ems where it is 2.5 rem high, its least: in a low window, by
 * `--measure` in tokens.css, and between the gutters of the smallest phone.
 */
const TITLE_ROOM = { low: 26 / 2.5, phone: (20 - 2 * 1.25) / 2.5 };

/** A space at most, in ems. */
const SPACE = 0.35;

/** How wide a text is in ems, without spacing. */
interface Widths {
	/** In the font. */
	own(text: string): number;
	/** At most: in the font, or in a fallback while it is on its way. */
	widest(text: string): number;
}

/**
 * The style sheet that says how wide the largest words are, in ems. Words that fill their place take
 * their size from it, whatever they are.
 */
export function widthStyles(
	{ headline, confirmation }: typeof ours,
	{ own, widest }: Widths,
	font: Pick<OpenFont, "ascent" | "descent" | "inkOf" | "glyphsOf">,
): string {
	const leading = leadingOf(headline, font);
	const { above, below } = roomOf(headline.turning, leading, font);
	const widthOf = (texts: readonly string[]) =>
		inEms(Math.max(...texts.map((text) => widest(text) + [...text].length * TIGHT)));
	// A line may break at its spaces.
	const wordsOf = (texts: readonly string[]) => texts.flatMap((text) => text.split(" "));
	const linesOf = (text: string, room: number) => {
		let [lines, wide] = [1, 0];
		for (const word of text.split(" ")) {
			const width = widthOf([word]);
			if (wide > 0 && wide + SPACE + width > room) [lines, wide] = [lines + 1, width];
			else wide += (wide > 0 ? SPACE : 0) + width;
		}
		return lines;
	};
	const turning = widthOf(headline.turning) + 2 * WORD_PADDING;
	// Each figure stands alone, in a slot of its width: it does not move when the font arrives.
	const slots = [...confirmation.position].map((sign) => inEms(own(sign)));
	const number = slots.reduce((sum, width) => sum + width, 0);
	return `:root {
	--tight: ${TIGHT}em;
	--headline: ${Math.max(turning, widthOf(headline.lines))};
	--headline-word: ${Math.max(turning, widthOf(wordsOf(headline.lines)))};
	--headline-lines: ${inEms(((headline.lines.length + 1) * leading) / LEAST_LEADING)};
	--headline-leading: ${leading};
	--title: ${widthOf([confirmation.title])};
	--title-word: ${widthOf(wordsOf([confirmation.title]))};
	--title-lines: ${linesOf(confirmation.title, TITLE_ROOM.low)};
	--number: ${inEms(number)};
	--number-signs: ${slots.length};
}
@media (max-width: 28.5rem) {
	:root { --title-lines: ${linesOf(confirmation.title, TITLE_ROOM.phone)} }
}
.words { margin-top: -${above}em }
.ink { padding-block: ${above}em ${below}em }
${slots.map((width, place) => `.slot:nth-child(${place + 1}) { --place: ${place}; width: ${width}em }`).join("\n")}
`;
}

/**
 * The height of a line of the headline, in ems: no tail of a letter, such as that of ş, reaches a letter of
 * the line below, which is centred as well.
 */
function leadingOf(
	{ lines, turning }: (typeof ours)["headline"],
	{ glyphsOf }: Pick<OpenFont, "glyphsOf">,
): number {
	const centred = (text: string): Ink[] => {
		const inks = glyphsOf(text).map((ink, place) => ({
			...ink,
			left: ink.left + place * TIGHT,
			right: ink.right + place * TIGHT,
		}));
		const middle = Math.max(...inks.map(({ right }) => right)) / 2;
		return inks.map((ink) => ({ ...ink, left: ink.left - middle, right: ink.right - middle }));
	};
	const pairs = lines.flatMap((line, place) =>
		(place + 1 < lines.length ? [lines[place + 1]!] : turning).map((next) => [line, next] as const),
	);
	const needed = pairs.flatMap(([line, next]) => {
		const beneath = centred(next);
		return centred(line).flatMap(({ left, right, below }) =>
			beneath
				.filter((ink) => ink.left < right + APART && ink.right > left - APART)
				.map(({ above }) => below + above + APART),
		);
	});
	return inEms(Math.max(LEAST_LEADING, ...needed));
}

/**
 * The room above and below the line of the changing words, in ems: they are painted and come and go
 * within it, and a letter that left it would be cut.
 */
function roomOf(
	texts: readonly string[],
	leading: number,
	{ ascent, descent, inkOf }: Pick<OpenFont, "ascent" | "descent" | "inkOf">,
): { above: number; below: number } {
	// Half of what a line is higher than its letters stands above them (CSS 2.2, 10.8.1).
	const baseline = (leading + ascent - descent) / 2;
	const inks = texts.map(inkOf);
	const above = Math.max(...inks.map((ink) => ink.above)) - baseline + CLEAR.above;
	const below = Math.max(...inks.map((ink) => ink.below)) - (leading - baseline) + CLEAR.below;
	return {
		above: inEms(Math.max(LEAST_ROOM.above, above)),
		below: inEms(Math.max(LEAST_ROOM.below, below)),
	};
}

/** Rounded up: what takes its size from it never needs more than its place. */
const inEms = (width: number) => Math.ceil(100 * width) / 100;
