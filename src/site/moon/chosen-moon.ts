import { createStore } from "zustand/vanilla";
import { emoji } from "#brand";

/** The key under which the browser keeps the moon: its place among the brand's emoji. */
const storageKey = "moon";

/** The visitor's moon, as a place among the brand's emoji. Nobody has one before they have joined. */
export const chosenMoon = createStore<{ moon?: number }>()(() => ({}));

/** Brings back the moon of an earlier visit. */
export function recallMoon(): void {
	try {
		const kept = localStorage.getItem(storageKey) ?? "";
		if (/^\d{1,2}$/.test(kept) && Number(kept) < emoji.length) {
			chosenMoon.setState({ moon: Number(kept) });
		}
	} catch {
		// A browser that refuses storage has no moon from before.
	}
}

/** Gives a moon to a visitor who has joined: the second emoji, which is bright. One who has one keeps it. */
export function grantMoon(): void {
	if (chosenMoon.getState().moon === undefined) choose(1);
}

/** Chooses the next emoji, or the one before. */
export function turnMoon(step: 1 | -1): void {
	choose(((chosenMoon.getState().moon ?? 0) + step + emoji.length) % emoji.length);
}

function choose(moon: number): void {
	chosenMoon.setState({ moon });
	try {
		localStorage.setItem(storageKey, String(moon));
	} catch {
		// It goes with the visit then.
	}
}
