import type { Page } from "playwright-core";

/** Edges of each card in CSS px. A card's margin is a shadow around its words (base.css). */
export const measureCards = (
	page: Page,
): Promise<Record<"left" | "top" | "right" | "bottom", number>[]> =>
	page.evaluate(() =>
		[...document.querySelectorAll(".block")].map((it) => {
			const shadow = getComputedStyle(it).boxShadow.matchAll(/0px 0px 0px ([\d.]+)px/g);
			const edge = Math.max(...Array.from(shadow, ([, px]) => Number(px)));
			const { left, top, right, bottom } = it.getBoundingClientRect();
			return { left: left - edge, top: top - edge, right: right + edge, bottom: bottom + edge };
		}),
	);
