import type { Command } from "commander";
import { addChange } from "./waves/change-wave.ts";

/** Adds `waitlist pause`: send nothing more of a wave until `resume`. */
export function addPause(program: Command): void {
	addChange(program, "pause", {
		summary: "send nothing more of a wave until `resume`",
		description:
			"Sends nothing more of a wave until `waitlist resume`. What is being sent at this moment still goes out, and codes can be redeemed.",
	});
}
