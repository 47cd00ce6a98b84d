/** Full minutes without a sign of the visitor after which fewer pictures will do. */
const AWAY_MINUTES = 3;

/** What a visitor who is there does. */
const SIGNS = ["pointermove", "pointerdown", "keydown", "wheel", "scroll"];

/** What Chromium says of the battery. Other browsers say nothing. */
interface Battery extends EventTarget {
	readonly charging: boolean;
}

/**
 * Tells whether energy is worth more than pictures: the device runs on its battery, or nobody has
 * touched anything for minutes.
 * @returns the function that ends it
 */
export function watchEnergy(tell: (energy: { sparing: boolean }) => void): () => void {
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
	// A page that scrolls within an element says so on its way down.
	const options = { passive: true, capture: true, signal };
	for (const sign of SIGNS) addEventListener(sign, notice, options);

	async function watchBattery(): Promise<void> {
		const { getBattery } = navigator as Navigator & { getBattery?(): Promise<Battery> };
		battery = await getBattery?.call(navigator);
		if (!battery || signal.aborted) return;
		battery.addEventListener("chargingchange", say, { signal });
		say();
	}
	// Where a policy forbids it, nothing is known of the battery.
	watchBattery().catch(() => {});

	return () => {
		ended.abort();
		clearInterval(minutes);
	};
}
