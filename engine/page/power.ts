const AWAY_MINUTES = 3;

const SIGNS = ["pointermove", "pointerdown", "keydown", "wheel", "scroll"];

/** Chromium's battery API. Other browsers lack it. */
interface Battery extends EventTarget {
	readonly charging: boolean;
}

/** @returns a function that stops watching */
export function watchPowerSaving(tell: (power: { sparing: boolean }) => void): () => void {
	const ended = new AbortController();
	const { signal } = ended;
	let quiet = 0;
	let battery: Battery | undefined;
	const say = () => tell({ sparing: quiet >= AWAY_MINUTES || battery?.charging === false });

	const minutes = setInterval(() => {
		if (++quiet === AWAY_MINUTES) say();
	}, 60_000);
	const notice = () => {
		const wasAway = quiet >= AWAY_MINUTES;
		quiet = 0;
		if (wasAway) say();
	};
	// In the capture phase, because scroll events of elements do not bubble.
	const options = { passive: true, capture: true, signal };
	for (const sign of SIGNS) addEventListener(sign, notice, options);

	async function watchBattery(): Promise<void> {
		const { getBattery } = navigator as Navigator & { getBattery?(): Promise<Battery> };
		battery = await getBattery?.call(navigator);
		if (!battery || signal.aborted) return;
		battery.addEventListener("chargingchange", say, { signal });
		say();
	}
	// `getBattery` rejects if the page's permissions policy forbids it.
	watchBattery().catch(() => {});

	return () => {
		ended.abort();
		clearInterval(minutes);
	};
}
