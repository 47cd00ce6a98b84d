import { readFileSync } from "node:fs";

/** Ticks of all processors so far: those that anything here asked for, and those of them that it did not get. */
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
 * Watches what the host of a virtual machine takes for its other guests: times that are measured
 * meanwhile are theirs as much as ours, and no load average of this machine shows it.
 * @returns a function that says how much of the processor time that was asked for here was not given,
 * since it was last called: 0 to 1, and 0 where nobody tells (Linux does: proc(5), "steal")
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
