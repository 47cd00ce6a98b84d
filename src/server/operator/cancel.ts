import type { Command } from "commander";
import { addChange } from "./waves/change-wave.ts";

/** Adds `waitlist cancel`: end a wave: take back what was not sent, and its codes. */
export function addCancel(program: Command): void {
	addChange(program, "cancel", {
		summary: "end a wave: take back what was not sent, and its codes",
		description:
			"Ends a wave for good: takes the letters back that were not sent, and makes all its codes worthless. Whoever had no letter can be invited by another wave.",
	});
}
