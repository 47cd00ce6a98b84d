import type { Backend, EngineSettings } from "#engine";
import { createStatsOverlay } from "./stats-overlay.ts";

const backends: readonly Backend[] = ["worker", "page", "flat", "none"];

/** engine/README.md lists the parameters. Invalid ones are reported in the console and ignored. */
export function readEngineSettings(asked: URLSearchParams): Partial<EngineSettings> {
	const backend = asked.get("way");
	if (backend !== null && !backends.includes(backend as Backend)) {
		complain("way", backend, `one of ${backends.join(", ")}`);
	}
	return {
		seed: readCount(asked, "seed", 2 ** 32 - 1),
		tick: readCount(asked, "tick", 1e9),
		level: readCount(asked, "level", 100),
		backend: backends.find((known) => known === backend),
		onStats: asked.get("engine") === "stats" ? createStatsOverlay() : undefined,
	};
}

function readCount(asked: URLSearchParams, name: string, greatest: number): number | undefined {
	const text = asked.get(name);
	if (text === null) return undefined;
	const value = Number(text);
	if (/^\d+$/.test(text) && value <= greatest) return value;
	complain(name, text, `a whole number from 0 to ${greatest}`);
}

function complain(name: string, value: string, expected: string): void {
	console.info(`engine: ?${name}=${value} is ignored: it must be ${expected}.`);
}
