import type { words as ours } from "../../words/en.ts";
import type { createTextMeasurer } from "./fallback-fonts.ts";
import type { OpenFont } from "./open-font.ts";

/** Letter spacing of headings, in ems. */
export const HEADING_SPACING_EM = -0.01;

/** Padding left and right of a rotating word, in ems, for overhanging letters. */
export const WORD_PADDING_EM = 0.06;

/** Line height of the headline, in ems. */
const LEADING = 0.96;

/** Minimum space above and below the line of a rotating word, in ems. */
const LEAST_ROOM = { above: 0.12, below: 0.14 };

/** Space in ems around a rotating word's letters, before they fade (`.words` in pages.css). */
const CLEAR = { above: 0.14, below: 0.08 };

/**
 * Width in ems of a title's line at its minimum size of 2.5 rem, in a low window and on a phone.
 */
const TITLE_ROOM = { low: 26 / 2.5, phone: (20 - 2 * 1.25) / 2.5 };

/** Returns custom properties, in ems, with which style sheets size words to fill their space. */
export function widthStyles(
	{ headline, confirmation }: typeof ours,
	{ own, widest }: ReturnType<typeof createTextMeasurer>,
	font: OpenFont,
): string {
	const { above, below } = roomOf(headline.turning, font);
	const widthOf = (texts: readonly string[]) =>
		inEms(Math.max(...texts.map((text) => widest(text) + [...text].length * HEADING_SPACING_EM)));
	// Lines break at spaces.
	const wordsOf = (texts: readonly string[]) => texts.flatMap((text) => text.split(" "));
	// Words are never split: one that is too wide makes the title smaller.
	const linesOf = (text: string, room: number) =>
		Math.min(wordsOf([text]).length, Math.ceil(widthOf([text]) / room));
	const turning = widthOf(headline.turning) + 2 * WORD_PADDING_EM;
	// Each digit is alone in a slot of its width, so it does not shift when the font arrives.
	const slots = [...confirmation.position].map((sign) => inEms(own(sign)));
	const number = slots.reduce((sum, width) => sum + width, 0);
	return `:root {
	--tight: ${HEADING_SPACING_EM}em;
	--headline: ${Math.max(turning, widthOf(headline.lines))};
	--headline-word: ${Math.max(turning, widthOf(wordsOf(headline.lines)))};
	--headline-lines: ${headline.lines.length + 1};
	--headline-leading: ${LEADING};
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

/** Space in ems above and below the line. Rotating words move inside it and are clipped outside. */
function roomOf(texts: readonly string[], { ascent, descent, inkOf }: OpenFont) {
	// Half of the leading is above the letters (CSS 2.2, 10.8.1).
	const baseline = (LEADING + ascent - descent) / 2;
	const inks = texts.map(inkOf);
	const above = Math.max(...inks.map((ink) => ink.above)) - baseline + CLEAR.above;
	const below = Math.max(...inks.map((ink) => ink.below)) - (LEADING - baseline) + CLEAR.below;
	return {
		above: inEms(Math.max(LEAST_ROOM.above, above)),
		below: inEms(Math.max(LEAST_ROOM.below, below)),
	};
}

/** Rounded up, so derived sizes never exceed their place. */
const inEms = (width: number) => Math.ceil(100 * width) / 100;
