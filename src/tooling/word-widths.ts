import type { words as ours } from "../brand.ts";

/** Space between the letters of headings, in ems. */
export const TIGHT = -0.01;

/** What stands left and right of a changing word, in ems, for letters that overhang. */
export const WORD_PADDING = 0.06;

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
): string {
	const widthOf = (texts: readonly string[]) =>
		inEms(Math.max(...texts.map((text) => widest(text) + [...text].length * TIGHT)));
	// A line may break at its spaces.
	const wordsOf = (texts: readonly string[]) => texts.flatMap((text) => text.split(" "));
	const turning = widthOf(headline.turning) + 2 * WORD_PADDING;
	// Each figure stands alone, in a slot of its width: it does not move when the font arrives.
	const slots = [...confirmation.position].map((sign) => inEms(own(sign)));
	const number = slots.reduce((sum, width) => sum + width, 0);
	return `:root {
	--tight: ${TIGHT}em;
	--headline: ${Math.max(turning, widthOf(headline.lines))};
	--headline-word: ${Math.max(turning, widthOf(wordsOf(headline.lines)))};
	--headline-lines: ${headline.lines.length + 1};
	--title: ${widthOf([confirmation.title])};
	--title-word: ${widthOf(wordsOf([confirmation.title]))};
	--number: ${inEms(number)};
	--number-signs: ${slots.length};
}
${slots.map((width, place) => `.slot:nth-child(${place + 1}) { --place: ${place}; width: ${width}em }`).join("\n")}
`;
}

/** Rounded up: what takes its size from it never needs more than its place. */
const inEms = (width: number) => Math.ceil(100 * width) / 100;
