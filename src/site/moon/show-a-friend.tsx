import { useEffect, useState } from "react";
import { useStore } from "zustand";
import { brand, emoji } from "#brand";
import { words } from "#words";
import { supportsLateStyles } from "../styles/late-styles.ts";
import { chosenMoon, moonIndexOf, restoreMoon } from "./chosen-moon.ts";

/** The share sheet's replacements. */
type ShareFallback = "saved" | "copied";

export function ShowAFriend() {
	const [done, setDone] = useState<readonly ShareFallback[]>([]);
	const moon = useStore(chosenMoon, moonIndexOf);
	useEffect(restoreMoon, []);
	if (!supportsLateStyles) return null;
	return (
		<p className="show">
			<button type="button" onClick={() => void showAFriend().then(setDone)}>
				<span aria-hidden="true">{emoji[moon]}</span> {words.moon.show}
			</button>
			<span role="status">{done.map((one) => words.moon[one]).join(" ")}</span>
		</p>
	);
}

/** Opens the share sheet, or else downloads the card and copies the link. Never throws. */
async function showAFriend(): Promise<ShareFallback[]> {
	const url = `${location.origin}/`;
	const card = await drawnCard();
	const link = { title: words.title, url };
	const files = card && [card];
	const asked = files && navigator.canShare?.({ files }) ? { ...link, files } : link;
	try {
		if (navigator.canShare?.(asked)) {
			await navigator.share(asked);
			return [];
		}
	} catch (error) {
		// The visitor canceled. After other errors, fall back to the download.
		if (error instanceof DOMException && error.name === "AbortError") return [];
	}
	if (card) save(card);
	const copied = await navigator.clipboard?.writeText(url).then(
		() => true,
		() => false,
	);
	return [...(card ? (["saved"] as const) : []), ...(copied ? (["copied"] as const) : [])];
}

async function drawnCard(): Promise<File | undefined> {
	try {
		const { drawSharingCard } = await import("../stage/card.ts");
		const blob = await drawSharingCard(moonIndexOf(chosenMoon.getState()));
		return new File([blob], `${brand.product.toLowerCase()}.png`, { type: blob.type });
	} catch {
		// Without WebGL or the engine's code, share only the link.
		return undefined;
	}
}

function save(file: File): void {
	const href = URL.createObjectURL(file);
	Object.assign(document.createElement("a"), { href, download: file.name }).click();
	// Delayed, because the browser reads the file after the click.
	setTimeout(() => URL.revokeObjectURL(href), 10_000);
}
