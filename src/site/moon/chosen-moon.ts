import { createStore } from "zustand/vanilla";
import { emoji } from "#brand";

/** The local storage key for the moon: an index into the brand's emoji. */
const storageKey = "moon";

/** The visitor's moon, an index into the brand's emoji; undefined until they join. */
export const chosenMoon = createStore<{ moon?: number }>()(() => ({}));

/** Restores the moon of an earlier visit. */
export function recallMoon(): void {
	try {
		const kept = localStorage.getItem(storageKey) ?? "";
		if (/^\d{1,2}$/.test(kept) && Number(kept) < emoji.length) {
			chosenMoon.setState({ moon: Number(kept) });
		}
	} catch {
		// Without storage there is no earlier moon.
	}
}

/** Gives visitors a moon when they join: the second emoji, which is bright. Existing moons stay. */
export function grantMoon(): void {
	if (chosenMoon.getState().moon === undefined) choose(1);
}

/** Selects the next or previous emoji. */
export function turnMoon(step: 1 | -1): void {
	choose(((chosenMoon.getState().moon ?? 0) + step + emoji.length) % emoji.length);
}

function choose(moon: number): void {
	chosenMoon.setState({ moon });
	try {
		localStorage.setItem(storageKey, String(moon));
	} catch {
		// Without storage the moon lasts for this visit.
	}
}
