import { readFileSync } from "node:fs";

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
 * Watches CPU time that a virtual machine's host gave to other guests, which spoils timings: "steal"
 * in proc(5).
 * @returns a function that returns the stolen share since its last call, 0 to 1
 */
export function watchStolenCpu(): () => number {
	let before = readTicks();
	return () => {
		const now = readTicks();
		const asked = now && before ? now.asked - before.asked : 0;
		const stolen = now && before ? now.stolen - before.stolen : 0;
		before = now;
		return asked > 0 ? stolen / asked : 0;
	};
}

export const formatStolenCpu = (share: number) => `host took ${Math.round(share * 100)}%`;
