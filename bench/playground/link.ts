import { writeAddress } from "./address.ts";
import type { Moment } from "./reference-simulation.ts";
import type { Playground } from "./state.ts";

/**
 * Keeps the URL in sync, so it can be copied, bookmarked or reloaded at any time. The button adds
 * the fingerprint, which the opened page compares with its own.
 */
export function connectLink(
	playground: Playground,
	moment: () => Moment,
	say: (words: string) => void,
) {
	const button = document.querySelector<HTMLButtonElement>("#copy-link")!;
	const url = () => {
		const state = playground.getState();
		return new URL(writeAddress(state, moment().fingerprint), location.href).href;
	};

	button.addEventListener("click", async () => {
		const link = url();
		const { tick, playing } = playground.getState();
		history.replaceState(null, "", link);
		try {
			await navigator.clipboard.writeText(link);
			say(`Link copied: tick ${tick}, ${playing ? "playing" : "at rest"}, fingerprint included.`);
		} catch {
			say("The browser does not let this page copy: the link is in the address bar.");
		}
	});

	/** While it plays, the tick would change the URL four times a second, which browsers refuse. */
	playground.subscribe((now, before) => {
		const { tick, ...still } = now;
		const changed =
			(tick !== before.tick && !now.playing) ||
			(Object.keys(still) as (keyof typeof still)[]).some(
				(key) => key !== "stats" && key !== "gl" && key !== "sought" && now[key] !== before[key],
			);
		if (changed) keep();
	});

	let timer: ReturnType<typeof setTimeout> | undefined;
	function keep(): void {
		clearTimeout(timer);
		// Scrubbing also causes more changes than browsers accept.
		timer = setTimeout(
			() => history.replaceState(null, "", writeAddress(playground.getState())),
			300,
		);
	}
}
