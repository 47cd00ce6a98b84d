import { readFileSync } from "node:fs";

/** CPU ticks that all processors requested, and those stolen. */
function readTicks(): { asked: number; stolen: number } | undefined {
	try {
		const [total = ""] = readFileSync("/proc/stat", "utf8").split("\n", 1);
		const [user, nice, system, , , irq, softirq, stolen] = total.split(/\s+/).slice(1).map(Number);
		return { asked: user! + nice! + system! + irq! + softirq! + stolen!, stolen: stolen! };
	} catch {
		return undefined;
	}
}

/**
 * Tracks CPU time that a virtual machine's host gives to other guests. Stolen time is not part of
 * load averages, and spoils all timings.
 * @returns a function that returns the stolen share since its last call: 0 to 1, and 0 if unknown
 *   (Linux reports it: proc(5), "steal")
 */
export function watchStolen(): () => number {
	let before = readTicks();
	return () => {
		const now = readTicks();
		const asked = now && before ? now.asked - before.asked : 0;
		const stolen = now && before ? now.stolen - before.stolen : 0;
		before = now;
		return asked > 0 ? stolen / asked : 0;
	};
}

export const sayStolen = (share: number) => `host took ${Math.round(share * 100)} %`;
