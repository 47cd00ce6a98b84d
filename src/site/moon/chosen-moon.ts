import { createStore } from "zustand/vanilla";
import { emoji } from "#brand";

/** Local storage key of the moon's index. */
const storageKey = "moon";

interface ChosenMoon {
	/** An index into the brand's emoji; undefined until the visitor joins. */
	moon?: number;
	/** True after a join, until the page with the moon is left. */
	isNew?: boolean;
}

export const chosenMoon = createStore<ChosenMoon>()(() => ({}));

const FIRST = 1;

export const moonIndexOf = ({ moon = FIRST }: ChosenMoon): number => moon;

export function restoreMoon(): void {
	try {
		const kept = localStorage.getItem(storageKey) ?? "";
		if (/^\d{1,2}$/.test(kept) && Number(kept) < emoji.length) {
			chosenMoon.setState({ moon: Number(kept) });
		}
	} catch {
		// Without storage, the moon of an earlier visit is unknown.
	}
}

/** Selects the first moon, unless the visitor has one. */
export function grantFirstMoon(): void {
	if (chosenMoon.getState().moon !== undefined) return;
	chosenMoon.setState({ isNew: true });
	choose(FIRST);
}

export function selectNextMoon(step: 1 | -1): void {
	choose((moonIndexOf(chosenMoon.getState()) + step + emoji.length) % emoji.length);
}

function choose(moon: number): void {
	chosenMoon.setState({ moon });
	try {
		localStorage.setItem(storageKey, String(moon));
	} catch {
		// Without storage the moon only lasts for this visit.
	}
}
