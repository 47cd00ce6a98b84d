import type { Page } from "playwright-core";

/** Where each card of a page begins and ends, in CSS px: its edge is a shadow around its words (base.css). */
export const cardsOf = (page: Page): Promise<{ top: number; bottom: number }[]> =>
	page.evaluate(() =>
		[...document.querySelectorAll(".block")].map((it) => {
			const shadow = getComputedStyle(it).boxShadow.matchAll(/0px 0px 0px ([\d.]+)px/g);
			const edge = Math.max(...Array.from(shadow, ([, px]) => Number(px)));
			const { top, bottom } = it.getBoundingClientRect();
			return { top: top - edge, bottom: bottom + edge };
		}),
	);
