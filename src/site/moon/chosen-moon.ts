import { createStore } from "zustand/vanilla";
import { emoji } from "#brand";

/** Local storage key of the moon's index. */
const storageKey = "moon";

/** An index into the brand's emoji; undefined until the visitor joins. */
export const chosenMoon = createStore<{ moon?: number }>()(() => ({}));

export function recallMoon(): void {
	try {
		const kept = localStorage.getItem(storageKey) ?? "";
		if (/^\d{1,2}$/.test(kept) && Number(kept) < emoji.length) {
			chosenMoon.setState({ moon: Number(kept) });
		}
	} catch {
		// Without storage, the moon of an earlier visit is unknown.
	}
}

/** Selects the second emoji, which is bright, unless the visitor has a moon. */
export function grantMoon(): void {
	if (chosenMoon.getState().moon === undefined) choose(1);
}

export function turnMoon(step: 1 | -1): void {
	choose(((chosenMoon.getState().moon ?? 0) + step + emoji.length) % emoji.length);
}

function choose(moon: number): void {
	chosenMoon.setState({ moon });
	try {
		localStorage.setItem(storageKey, String(moon));
	} catch {
		// Without storage the moon only lasts for this visit.
	}
}
