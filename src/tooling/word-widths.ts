import type { words as ours } from "../brand.ts";
import type { OpenFont } from "./fallback-fonts.ts";

/** Space between the letters of headings, in ems. */
export const TIGHT = -0.01;

/** What stands left and right of a changing word, in ems, for letters that overhang. */
export const WORD_PADDING = 0.06;

/**
 * The style sheet that says how wide the largest words are in the brand's font, in ems. Words that fill
 * their place take their size from it, whatever they are.
 */
export function widthStyles({ headline, confirmation }: typeof ours, font: OpenFont): string {
	const widthOf = (text: string) => {
		const letters = [...text];
		return font.widthOf(letters) + letters.length * TIGHT;
	};
	const widest = (texts: readonly string[]) => inEms(Math.max(...texts.map(widthOf)));
	// A line may break at its spaces.
	const wordsOf = (texts: readonly string[]) => texts.flatMap((text) => text.split(" "));
	const turning = widest(headline.turning) + 2 * WORD_PADDING;
	// Each figure stands alone: there is no kerning.
	const signs = [...confirmation.position];
	const number = signs.reduce((sum, sign) => sum + font.widthOf([sign]), 0);
	return `:root {
	--tight: ${TIGHT}em;
	--headline: ${Math.max(turning, widest(headline.lines))};
	--headline-word: ${Math.max(turning, widest(wordsOf(headline.lines)))};
	--headline-lines: ${headline.lines.length + 1};
	--title: ${widest([confirmation.title])};
	--title-word: ${widest(wordsOf([confirmation.title]))};
	--number: ${inEms(number)};
	--number-signs: ${signs.length};
}
`;
}

/** Rounded up: what takes its size from it never needs more than its place. */
const inEms = (width: number) => Math.ceil(100 * width) / 100;
