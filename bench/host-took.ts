import { readFileSync } from "node:fs";

/** Clock ticks of all processors so far: those that this machine asked for, and those of them it did not get. */
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
 * Watches how much of the processor a virtual machine's host gives to its other guests. No load
 * average of this machine shows that, and it spoils whatever is timed meanwhile.
 * @returns a function that returns the share of the processor time asked for here that was not given
 * since its last call: 0 to 1, and 0 where the system does not tell (Linux does: proc(5), "steal")
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

/** What `watchStolen` returned, in words. */
export const sayStolen = (share: number) => `host took ${Math.round(share * 100)} %`;
